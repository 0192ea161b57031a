/** Waiting of tests: it has a limit, and its failure says what was waited for. */

/** Far more than anything here takes, on any machine. */
const longMs = 120_000
// the real one, whatever a test does to the clock
const { setTimeout } = globalThis

/** Between two looks, at least and at most: what is looked at may be a page, a host or a table of processes. */
const [leastPauseMs, mostPauseMs] = [10, 100]
/** Share of the time waited so far that the next pause takes: nothing is seen much later than it happened. */
const pauseShare = 0.1

/** Looks again and again until something holds; rejects with the condition, or the words given for it, when it does not. */
export async function until(holds: () => boolean | Promise<boolean>, what = String(holds)): Promise<void> {
  const start = performance.now()
  while (!(await holds())) {
    const waitedMs = performance.now() - start
    if (waitedMs > longMs) throw new Error(`Waited ${longMs / 1000} s in vain for ${what}`)
    const pauseMs = Math.min(mostPauseMs, Math.max(leastPauseMs, waitedMs * pauseShare))
    await new Promise((resolve) => setTimeout(resolve, pauseMs))
  }
}
