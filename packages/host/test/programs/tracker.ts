/** A server of issues, for plans: its lists are described, and its changes are noted in the file `NOTES`. */
import { appendFileSync } from 'node:fs'
import { serve, server } from '@trunkline/mcp'
import { z } from 'zod'

const issue = z.object({ id: z.number().int(), title: z.string(), priority: z.enum(['high', 'low']), path: z.string() })
const note = (line: string): void => appendFileSync(process.env.NOTES ?? '/dev/null', `${line}\n`)
const readOnly = { annotations: { readOnlyHint: true } } as const

const issues = (count: number, folder: string) =>
  Array.from({ length: count }, (_, at) => ({
    id: at + 1,
    title: `Title ${at + 1}`,
    priority: at % 2 === 0 ? ('high' as const) : ('low' as const),
    path: `${folder}/${at + 1}.txt`,
  }))

await serve(
  server({ name: 'tracker', version: '1.0.0' })
    .tool(
      'list_issues',
      {
        input: z.object({ count: z.number().int().default(4), folder: z.string().default('/') }),
        output: z.object({ items: z.array(issue) }),
        ...readOnly,
      },
      ({ count, folder }) => ({ items: issues(count, folder) }),
    )
    .tool('list_as_text', readOnly, () => JSON.stringify(issues(2, '/')))
    .tool('fill', { input: z.object({ bytes: z.number() }), ...readOnly }, ({ bytes }) => 'x'.repeat(bytes))
    .tool(
      'close_issue',
      {
        input: z.object({ id: z.number().int(), why: z.string().optional() }),
        output: z.object({ closed: z.number() }),
      },
      ({ id }) => {
        note(`closed ${id}`)
        return { closed: id }
      },
    )
    .tool('break', { input: z.object({ id: z.number() }), ...readOnly }, ({ id }) => {
      if (id % 2 === 0) throw new Error(`${id} is even`)
      return `${id} is odd`
    })
    .tool('wait', { input: z.object({ ms: z.number() }), ...readOnly }, async ({ ms }, ctx) => {
      note(`waits ${ms}`)
      await new Promise<void>((resolve) => {
        const timer = setTimeout(resolve, ms)
        ctx.signal.addEventListener('abort', () => {
          clearTimeout(timer)
          resolve()
        })
      })
      note(`waited ${ms}`)
      return 'waited'
    }),
)
