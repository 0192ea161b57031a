import type { Change } from '../../../src/index.ts'
import { server } from '../../../src/index.ts'
import { gate } from '../../gate.ts'
import { cafe, type Topic } from '../topic.ts'

export const changes: Topic = {
  says: 'A client watches the tools and one resource; a tool goes, the resource changes, and the client has heard enough.',
  server: () =>
    server(cafe)
      .tool('order', {}, () => 'An espresso, then')
      .tool('breakfast', {}, () => 'Two eggs')
      .resource('cafe://menu', {}, () => 'espresso, cortado'),
  async talk(client, definition) {
    const told = { tools: gate(), resource: gate() }
    const onChange = ({ kind }: Change): void => {
      if (kind === 'tools' || kind === 'resource') told[kind].open()
    }
    const watching = await client.watch({ tools: true, uris: ['cafe://menu'] }, onChange)
    definition.tools.disable('breakfast')
    await told.tools.promise
    definition.resources.updated('cafe://menu')
    await told.resource.promise
    await watching.close()
  },
}
