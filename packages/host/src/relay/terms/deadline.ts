import type { Fields } from '@trunkline/mcp'
import { contractParts, type GivenTerms } from './given-terms.ts'

/** A call that can be ended before it is done. */
export interface TimedCall {
  readonly tool: string
  readonly given: GivenTerms
  cancel(reason: Error): void
  run(): Promise<Fields>
}

/** Ends a call at its deadline: its caller gets an error, its server a cancellation, and a later answer is dropped. */
export async function withDeadline({ tool, given, cancel, run }: TimedCall): Promise<Fields> {
  const { deadlineMs } = given.terms
  if (given.endsAt === undefined) return run()
  const { withResultTerms } = await contractParts()
  let timer: NodeJS.Timeout | undefined
  const overdue = new Promise<Fields>((resolve) => {
    timer = setTimeout(
      () => {
        const text = `Tool "${tool}" took longer than ${deadlineMs} ms`
        const result = { content: [{ type: 'text', text }], isError: true }
        const terms = { status: { code: 124, class: 'timeout' }, retry: { class: 'transient' } } as const
        // the answer goes out first
        resolve(withResultTerms(result, terms))
        cancel(new DOMException(text, 'TimeoutError'))
      },
      Math.max(0, (given.endsAt as number) - performance.now()),
    )
  })
  try {
    return await Promise.race([run(), overdue])
  } finally {
    clearTimeout(timer)
  }
}
