/** Waits for what must come, and fails with a word about it instead of hanging. */

/** Milliseconds that are far more than anything here takes, on any machine. */
const longMs = 60_000
// the real ones, whatever a test does to the clock
const { setTimeout, clearTimeout } = globalThis

/** The outcome of a promise; rejects when it does not settle. */
export function soon<Value>(promise: PromiseLike<Value>, what: string): Promise<Value> {
  let timer: ReturnType<typeof setTimeout> | undefined
  const late = new Promise<never>((_, reject) => {
    timer = setTimeout(() => reject(new Error(`Waited ${longMs} ms in vain for ${what}`)), longMs)
    // a timer that is no longer waited for keeps no process alive
    timer.unref?.()
  })
  return Promise.race([promise, late]).finally(() => clearTimeout(timer))
}

/** Lets the event loop turn until something holds, without timers; rejects when it does not. */
export async function turnsUntil(holds: () => boolean | Promise<boolean>, what: string): Promise<void> {
  for (const start = performance.now(); !(await holds()); await new Promise((resolve) => setImmediate(resolve)))
    if (performance.now() - start > longMs) throw new Error(`Waited ${longMs} ms in vain for ${what}`)
}
