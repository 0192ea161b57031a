import { type ClientApps, apps as extension } from '../../../src/apps.ts'
import { server } from '../../../src/index.ts'
import { cafe, type Topic } from '../topic.ts'

const view = 'ui://cafe/menu'
const csp = { resourceDomains: ['https://cafe.example.com'] }

export const apps: Topic = {
  says: 'A client that shows views lists the tools, calls one, and reads its view with the policy of that.',
  opening: true,
  server: () =>
    server({ ...cafe, extensions: [extension({ views: { [view]: { html: '<p>Menu', name: 'menu', csp } } })] })
      .tool('menu', { view }, () => 'espresso')
      .tool('order', { view, visibility: ['app'] }, () => 'ordered'),
  options: { extensions: [extension()] },
  async talk(client) {
    const { apps: own } = client as unknown as { apps: ClientApps }
    await client.tools.list().all()
    await client.tools.call('menu', {})
    await own.view(view)
  },
}
