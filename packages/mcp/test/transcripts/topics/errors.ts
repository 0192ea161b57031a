import { RpcError, server } from '../../../src/index.ts'
import { cafe, type Topic } from '../topic.ts'

const input = { type: 'object', properties: { cups: { type: 'integer' } }, required: ['cups'] } as const

export const errors: Topic = {
  says: 'No such tool, arguments it cannot take, a tool that fails, one that refuses, no such resource, no such prompt.',
  server: () =>
    server(cafe)
      .tool('order', { input }, ({ cups }) => `${cups} cups`)
      .tool('grind', {}, () => {
        throw new Error('The grinder is jammed')
      })
      .tool('pay', {}, () => {
        throw new RpcError(402, 'Cash only', { accepts: ['cash'] })
      })
      .resource('cafe://menu', {}, () => 'espresso, cortado')
      .prompt('recommend', {}, () => 'What is good today?'),
  async talk(client) {
    await Promise.allSettled([client.tools.call('dance', {})])
    await Promise.allSettled([client.tools.call('order', { cups: 'two' })])
    await client.tools.call('grind', {})
    await Promise.allSettled([client.tools.call('pay', {})])
    await Promise.allSettled([client.resources.read('cafe://wine')])
    await Promise.allSettled([client.prompts.get('insult', {})])
  },
}
