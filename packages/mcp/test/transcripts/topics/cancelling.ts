import assert from 'node:assert/strict'
import { server } from '../../../src/index.ts'
import { cafe, type Topic } from '../topic.ts'

export const cancelling: Topic = {
  says: 'A client hears that its call has begun, and calls it off; nothing more is said about it.',
  server: () =>
    server(cafe).tool('roast', {}, async (_, ctx) => {
      await ctx.progress(1, 100)
      await new Promise((resolve) => ctx.signal.addEventListener('abort', resolve))
      await ctx.progress(2, 100)
      return 'Burnt'
    }),
  async talk(client) {
    const stop = new AbortController()
    const onProgress = (): void => stop.abort(new Error('I have to catch a train'))
    const call = client.tools.call('roast', {}, { signal: stop.signal, onProgress })
    await assert.rejects(call, /train/)
  },
}
