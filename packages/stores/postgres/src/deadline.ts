import { McpError, type Outcome } from '@trunkline/mcp'

/** Time for an answer, and what is known when there is none. */
export interface AnswerDeadline {
  readonly ms: number
  /** Name of what is waited for, such as "answer". */
  readonly what: string
  readonly outcome: Outcome
  /** Runs when the time is over, before the promise rejects. */
  onPassed?(): void
}

/** Waits for work until a deadline; what comes later is dropped. */
export async function beforeDeadline<Value>(work: Promise<Value>, deadline: AnswerDeadline): Promise<Value> {
  const { ms, what, outcome } = deadline
  let timer: ReturnType<typeof setTimeout> | undefined
  const late = new Promise<never>((_, reject) => {
    timer = setTimeout(() => {
      deadline.onPassed?.()
      reject(new McpError('Store', `Cannot use PostgreSQL: no ${what} in ${ms} ms`, { outcome }))
    }, ms)
  })
  // an error after the deadline has no one else to go to
  work.catch(() => {})
  try {
    return await Promise.race([work, late])
  } finally {
    clearTimeout(timer)
  }
}
