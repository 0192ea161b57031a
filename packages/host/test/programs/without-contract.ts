/** A server that knows nothing of the contract; its calls are noted in a file, for tests to count. */
import { appendFileSync } from 'node:fs'
import { serve, server } from '@trunkline/mcp'
import { z } from 'zod'

const journal = process.env.JOURNAL ?? '/dev/null'
const note = (line: string): void => appendFileSync(journal, `${line}\n`)
const rows = z.object({ rows: z.number() })

const withoutContract = server({ name: 'without-contract', version: '1.0.0' })
  .tool('get_report', { input: rows, output: z.object({ total: z.number(), rows: z.array(z.string()) }) }, (asked) => ({
    total: asked.rows,
    rows: Array.from({ length: asked.rows }, (_, at) => `row ${at} ${'ä'.repeat(50)}`),
  }))
  .tool('get_lines', { input: rows }, (asked) => 'a line of text\n'.repeat(asked.rows))
  .tool('add', { input: z.object({ text: z.string(), afterMs: z.number().default(0) }) }, async ({ text, afterMs }) => {
    await new Promise((resolve) => setTimeout(resolve, afterMs))
    note(text)
    return `added ${text}`
  })
  .tool('add_and_crash', { input: z.object({ text: z.string() }) }, ({ text }) => {
    note(text)
    process.exit(3)
  })
  .tool('get_pid', {}, () => String(process.pid))
  .tool('wait', {}, async (_, ctx) => {
    note('wait: begun')
    await new Promise((resolve) => ctx.signal.addEventListener('abort', resolve, { once: true }))
    note('wait: ended')
    return 'late'
  })

await serve(withoutContract)
