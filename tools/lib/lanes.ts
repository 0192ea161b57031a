/** Work to run, several pieces at a time. */
export interface Lanes<T> {
  /** Pieces that run at once. */
  readonly lanes: number
  /** True if a piece has to wait for one of the unfinished ones. */
  readonly waits: (piece: T, unfinished: readonly T[]) => boolean
  /** Runs a piece; true if it succeeded. */
  readonly run: (piece: T) => Promise<boolean>
}

/** Runs every piece in order, as far as the lanes allow; after a failure none begins. */
export async function runInLanes<T>(pieces: readonly T[], { lanes, waits, run }: Lanes<T>): Promise<boolean> {
  const waiting = [...pieces]
  const running = new Map<T, Promise<void>>()
  let passed = true
  const begin = (piece: T) =>
    run(piece).then((succeeded) => {
      running.delete(piece)
      passed &&= succeeded
    })
  while (passed && waiting.length > 0) {
    const unfinished = [...running.keys(), ...waiting]
    const next = waiting.findIndex((piece) => !waits(piece, unfinished))
    if (next === -1 && running.size === 0) throw new Error('Cannot go on: the pieces left wait for each other')
    if (next === -1 || running.size === lanes) {
      await Promise.race(running.values())
      continue
    }
    for (const piece of waiting.splice(next, 1)) running.set(piece, begin(piece))
  }
  await Promise.all(running.values())
  return passed
}
