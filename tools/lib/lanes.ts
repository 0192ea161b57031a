/** How some work is run, several pieces at a time. */
export interface Lanes<T> {
  /** How many pieces run at once. */
  readonly lanes: number
  /** Of the pieces for which this holds, one at a time runs. */
  readonly isAlone: (piece: T) => boolean
  /** Whether the piece succeeded. */
  readonly run: (piece: T) => Promise<boolean>
}

/** Runs every piece in order, as far as the lanes allow; after a failure none begins. */
export async function runInLanes<T>(pieces: readonly T[], { lanes, isAlone, run }: Lanes<T>): Promise<boolean> {
  const waiting = [...pieces]
  const running = new Map<T, Promise<void>>()
  let passed = true
  const begin = (piece: T) =>
    run(piece).then((succeeded) => {
      running.delete(piece)
      passed &&= succeeded
    })
  while (passed && waiting.length > 0) {
    const aloneIsRunning = [...running.keys()].some(isAlone)
    const next = waiting.findIndex((piece) => !(aloneIsRunning && isAlone(piece)))
    if (next === -1 || running.size === lanes) {
      await Promise.race(running.values())
      continue
    }
    for (const piece of waiting.splice(next, 1)) running.set(piece, begin(piece))
  }
  await Promise.all(running.values())
  return passed
}
