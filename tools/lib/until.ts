/** Waiting of tests: it has a limit, and its failure says what was waited for. */

/** Far more than anything here takes, on any machine. */
const longMs = 60_000
// the real one, whatever a test does to the clock
const { setTimeout } = globalThis

/** Looks again and again until something holds; rejects with the condition, or the words given for it, when it does not. */
export async function until(holds: () => boolean | Promise<boolean>, what = String(holds)): Promise<void> {
  for (const start = performance.now(); !(await holds()); await new Promise((resolve) => setTimeout(resolve, 10)))
    if (performance.now() - start > longMs) throw new Error(`Waited ${longMs / 1000} s in vain for ${what}`)
}
