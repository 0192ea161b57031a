import { KeptLines } from './kept-lines.ts'
import { mergeLines } from './merge-lines.ts'
import type { ChainedLine } from './queries.ts'
import { showTogether } from './show-together.ts'
import { createStore } from './store.ts'

/** Recent activity, oldest first, and the number of lines this page could not keep. */
export interface Activity {
  readonly lines: readonly ChainedLine[]
  /** Lines that arrived and were let go of, oldest first. */
  readonly dropped: number
  /** Events that the host did not send, because the page did not read fast enough. */
  readonly missed: number
}

/** Lines kept by a page; older ones are in the ledger. */
export const maxKeptLines = 5_000

/** The acts of this host as they happen. */
export const activity = createStore<Activity>({ lines: [], dropped: 0, missed: 0 })

const waiting = new KeptLines<ChainedLine>(maxKeptLines)
let missedMeanwhile = 0
const schedule = showTogether(show)

/** Adds lines; what arrives shortly one after the other is shown together. */
export function addLines(lines: readonly ChainedLine[], missed = 0): void {
  if (lines.length === 0 && missed === 0) return
  waiting.add(lines)
  missedMeanwhile += missed
  schedule()
}

function show(): number {
  const { lines, dropped, missed } = activity.get()
  const arrived = waiting.take()
  const all = mergeLines(lines, arrived.lines)
  const excess = Math.max(0, all.length - maxKeptLines)
  activity.set({
    lines: all.slice(excess),
    dropped: dropped + arrived.dropped + excess,
    missed: missed + missedMeanwhile,
  })
  missedMeanwhile = 0
  return all.length - lines.length
}
