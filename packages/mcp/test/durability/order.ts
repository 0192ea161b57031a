import type { Client } from './life.ts'

/** A client's view of one order. */
export interface Seen {
  readonly id: string | undefined
  readonly outcome: Promise<unknown>
}

/** The outcome of a promise, fulfilled or rejected. */
export const settled = (outcome: Promise<unknown>) =>
  outcome.then(
    (result) => ({ result }),
    (error: Error) => ({ error: error.message }),
  )

/** Starts an order; the server may die before there is an answer. */
export async function start(client: Client, tool: string, order: string): Promise<Seen> {
  try {
    const task = await client.tools.start(tool, { order })
    const outcome = task.result()
    outcome.catch(() => {})
    return { id: task.id, outcome }
  } catch (error) {
    return { id: undefined, outcome: settled(Promise.reject(error)) }
  }
}
