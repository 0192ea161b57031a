import { audio, link, server, text } from '../../../src/index.ts'
import { cafe, type Topic } from '../topic.ts'

const input = {
  type: 'object',
  properties: { coffee: { type: 'string' }, cups: { type: 'integer', minimum: 1 } },
  required: ['coffee'],
} as const

const output = {
  type: 'object',
  properties: { coffee: { type: 'string' }, euros: { type: 'number' } },
  required: ['coffee', 'euros'],
} as const

export const tools: Topic = {
  says: 'A client lists the tools, calls one that reports progress, and one that answers with several kinds of content.',
  server: () =>
    server(cafe)
      .tool(
        'order',
        {
          title: 'Order a coffee',
          description: 'Orders a coffee and says what it costs',
          input,
          output,
          annotations: { destructiveHint: false },
          icons: [{ src: 'https://cafe.example/order.png' }],
        },
        async ({ coffee, cups = 1 }, ctx) => {
          await ctx.progress(1, 2, 'grinding')
          return { coffee, euros: 3 * cups }
        },
      )
      .tool('ambience', {}, () => [
        text('A quiet corner'),
        audio('UklGRg==', 'audio/wav'),
        link({ uri: 'cafe://menu', name: 'menu', title: 'The menu' }),
      ]),
  async talk(client) {
    await client.tools.list().all()
    await client.tools.call('order', { coffee: 'cortado', cups: 2 }, { onProgress: () => {} })
    await client.tools.call('ambience', {})
  },
}
