import type { ChainedLine } from './queries.ts'
import { createStore } from './store.ts'

/** What happened lately, oldest first, and how much of it this page could not keep. */
export interface Activity {
  readonly lines: readonly ChainedLine[]
  /** Lines that arrived and were let go of, oldest first. */
  readonly dropped: number
  /** Events that the host did not send, because the page did not read fast enough. */
  readonly missed: number
}

/** How many lines a page keeps; older ones are in the ledger. */
export const maxKeptLines = 5_000

/** The acts of this host as they happen. */
export const activity = createStore<Activity>({ lines: [], dropped: 0, missed: 0 })

let waiting: ChainedLine[] = []
let missedMeanwhile = 0
let isScheduled = false

/** Lines that arrive within so many milliseconds are shown together: faster nobody reads. */
const togetherMs = 100
const hiddenTogetherMs = 1_000

/** Adds lines; what arrives shortly one after the other is shown together. */
export function addLines(lines: readonly ChainedLine[], missed = 0): void {
  if (lines.length === 0 && missed === 0) return
  waiting.push(...lines)
  missedMeanwhile += missed
  if (isScheduled) return
  isScheduled = true
  setTimeout(flush, document.hidden ? hiddenTogetherMs : togetherMs)
}

function flush(): void {
  isScheduled = false
  const { lines, dropped, missed } = activity.get()
  const last = lines.at(-1)?.number ?? -1
  const fresh = waiting.filter(({ number }) => number > last)
  const all = [...lines, ...fresh]
  const excess = Math.max(0, all.length - maxKeptLines)
  activity.set({ lines: all.slice(excess), dropped: dropped + excess, missed: missed + missedMeanwhile })
  waiting = []
  missedMeanwhile = 0
}
