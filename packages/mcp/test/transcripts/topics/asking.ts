import { server, text } from '../../../src/index.ts'
import { cafe, type Topic } from '../topic.ts'

const milk = { type: 'object', properties: { milk: { type: 'boolean', default: false } }, required: ['milk'] } as const

export const asking: Topic = {
  says: 'A tool asks the model of the client for a word, then another one asks its user to fill in a form.',
  server: () =>
    server(cafe)
      .tool('praise', {}, async (_, ctx) => {
        const messages = [{ role: 'user', content: text('Praise this coffee in one word') }] as const
        return (await ctx.sample({ messages, maxTokens: 10 })).content
      })
      .tool('order', {}, async (_, ctx) => {
        const answer = await ctx.elicit('With milk?', milk)
        return answer.milk ? 'A cortado' : 'An espresso'
      }),
  options: {
    sampling: () => ({ role: 'assistant', model: 'poet-1', content: text('Velvet'), stopReason: 'endTurn' }),
    elicitation: () => ({ action: 'accept', content: { milk: true } }),
  },
  async talk(client) {
    await client.tools.call('praise', {})
    await client.tools.call('order', {})
  },
}
