/** Waits for what must come, and fails with a word about it instead of hanging. */
import { settlesWithin } from '../src/transports/timers.ts'

/** Milliseconds that are far more than anything here takes, on any machine. */
const longMs = 30_000

/** What a promise settles to; rejects when it does not settle. */
export async function soon<Value>(promise: PromiseLike<Value>, what: string): Promise<Value> {
  if (!(await settlesWithin(Promise.resolve(promise), longMs)))
    throw new Error(`Waited ${longMs} ms in vain for ${what}`)
  return promise
}
