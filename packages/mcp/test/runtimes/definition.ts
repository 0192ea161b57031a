/** The server for every face and every runtime: one tool for each thing that may go wrong between them. */
import { server } from '@trunkline/mcp'
import type { HttpOptions } from '@trunkline/mcp/http'
import { Mailbox } from '../mailbox.ts'

const form = { type: 'object', properties: { name: { type: 'string' } }, required: ['name'] } as const

/** Small enough for a test to go beyond. */
export const options = { limits: { maxMessageBytes: 16_384 } } as const satisfies HttpOptions

/** Makes waits where they are awaited: in some runtimes a promise does not outlive the request that made it. */
export function definition() {
  const [finished, hanging, aborted] = [new Mailbox<void>(), new Mailbox<void>(), new Mailbox<string>()]
  const app = server({ name: 'smoke', version: '1', keys: ['a key for tests, of thirty-two characters and more'] })
    .tool('echo', {}, ({ text }) => String(text))
    .tool('greet', {}, async (_, ctx) => `Hello, ${(await ctx.elicit('Your name?', form)).name}!`)
    .tool('extra', {}, () => 'extra')
    .tool('toggle', {}, () => {
      if (app.tools.has('extra')) app.tools.disable('extra')
      else app.tools.enable('extra')
    })
    .tool('work', {}, async (_, ctx) => {
      await ctx.progress(1, 2, 'half')
      await finished.take()
      return 'done'
    })
    .tool('finish', {}, () => finished.put())
    .tool('hang', {}, async ({ streams }, { signal, progress }) => {
      signal.addEventListener('abort', () => aborted.put('aborted'))
      hanging.put()
      if (!streams) await new Promise(() => {})
      // some runtimes find out that the reader is gone only when there is something to read
      for (let step = 1; !signal.aborted; step++) {
        await progress(step)
        await new Promise((resolve) => setTimeout(resolve, 5))
      }
    })
    .tool('when hanging', {}, () => hanging.take())
    .tool('when aborted', {}, () => aborted.take())
  return app
}
