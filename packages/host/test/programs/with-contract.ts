/** A server that keeps the contract; its calls are noted in a file, for tests to count. */
import { appendFileSync } from 'node:fs'
import { serve, server } from '@trunkline/mcp'
import { contract, plan, retryable } from '@trunkline/mcp/contract'
import { z } from 'zod'

const journal = process.env.JOURNAL ?? '/dev/null'
const note = (line: string): void => appendFileSync(journal, `${line}\n`)
const folders = [process.env.FOLDER ?? process.cwd()]
const failures = new Map<string, number>()
const name = z.object({ name: z.string(), failures: z.number() })

/** Fails so many times, and then does not. */
function flaky({ name: which, failures: most }: z.infer<typeof name>): string {
  const before = failures.get(which) ?? 0
  failures.set(which, before + 1)
  note(`${which} ${before + 1}`)
  if (before < most) throw retryable('not now', { afterMs: 5 })
  return `done after ${before}`
}

const withContract = server({
  name: 'with-contract',
  version: '1.0.0',
  extensions: [contract({ folders, spill: true, limits: { maxResultBytes: 4_096 } })],
})
  .tool('get_flaky', { input: name }, flaky)
  .tool('write_flaky', { input: name }, flaky)
  .tool('get_lines', { input: z.object({ lines: z.number() }) }, ({ lines }) =>
    Array.from({ length: lines }, (_, at) => `line ${at + 1} of many`).join('\n'),
  )
  .tool(
    'get_watched',
    { signals: { reload: 'Reads its files again', finish: 'Ends with what it has' } },
    async (_, ctx) => {
      let reloads = 0
      ctx.onSignal('reload', () => {
        reloads += 1
      })
      note('watched: begun')
      await new Promise<void>((resolve) => ctx.onSignal('finish', resolve))
      return `${reloads} reloads`
    },
  )
  .tool('get_want', {}, (_, ctx) => ctx.want)
  .tool('get_folder', { input: z.object({ path: z.string() }) }, async ({ path }, ctx) => ctx.path(path))
  .tool('add', { input: z.object({ text: z.string() }) }, ({ text }, ctx) => {
    note(text)
    ctx.exit(7)
    return `added ${text}`
  })
  .tool(
    'publish',
    { input: z.object({ text: z.string() }), preview: ({ text }) => plan([`publish ${text}`]) },
    ({ text }) => {
      note(`published ${text}`)
      return 'published'
    },
  )
  .tool('brood', { preview: () => new Promise<never>(() => {}) }, () => 'brooded')
  .tool('wait', {}, async (_, ctx) => {
    note(`wait: ${ctx.deadline ? 'with' : 'without'} a deadline`)
    await new Promise((resolve) => ctx.signal.addEventListener('abort', resolve, { once: true }))
    note('wait: ended')
    return 'late'
  })

await serve(withContract)
