import { setImmediate } from 'node:timers/promises'
import type { Store } from '../store/store.ts'
import { type CallEventRow, LedgerLineTable } from '../store/tables/ledger-line-table.ts'
import { TimeMarkTable } from '../store/tables/time-mark-table.ts'

/** Calls to count. */
export interface CountedCalls {
  readonly since: number
  readonly until: number
  readonly server?: string
  readonly principal?: string
}

/** Calls that ran, in equal steps of a range of time; a refused call did not run. */
export interface CallStatistics {
  readonly stepMs: number
  /** Beginning of each step, as in `Date.now()`. */
  readonly at: readonly number[]
  readonly calls: readonly number[]
  /** Calls that failed; one that was cancelled did not. */
  readonly failed: readonly number[]
  /** Milliseconds within which half of the calls of a step ended, without waits for a person; null where none ended. */
  readonly p50: readonly (number | null)[]
  readonly p95: readonly (number | null)[]
  /** The same of all calls. */
  readonly all: {
    readonly calls: number
    readonly failed: number
    readonly p50: number | null
    readonly p95: number | null
  }
  /** False if there were more lines than are counted at once; the later ones are missing then. */
  readonly isWhole: boolean
}

const steps = 60
/** Lines that are counted in one turn of the event loop, and altogether. */
const linesAtOnce = 2_000
const maxLines = 200_000

/** Counts the calls of a range of time. */
export async function callStatistics(store: Store, which: CountedCalls): Promise<CallStatistics> {
  const { since, until } = which
  const stepMs = Math.max(1, (until - since) / steps)
  const table = new LedgerLineTable(store)
  const counted = Array.from({ length: steps }, () => ({ calls: 0, failed: 0, ms: [] as number[] }))
  const waits = new Map<string, Wait[]>()
  let after = new TimeMarkTable(store).lineBefore(since)
  let lines = 0
  for (let part = linesAtOnce; part === linesAtOnce && lines < maxLines; lines += part) {
    const rows = table.callEvents({ ...which, after }, linesAtOnce)
    for (const row of rows) {
      if (row.actKind === null) noteWait(waits, row)
      else countCall(counted[Math.min(steps - 1, Math.floor((row.at - since) / stepMs))], row, waits)
    }
    part = rows.length
    after = rows.at(-1)?.number ?? after
    await setImmediate()
  }
  for (const { ms } of counted) ms.sort((one, other) => one - other)
  const all = counted.flatMap(({ ms }) => ms).sort((one, other) => one - other)
  return {
    stepMs,
    at: counted.map((_, step) => since + step * stepMs),
    calls: counted.map(({ calls }) => calls),
    failed: counted.map(({ failed }) => failed),
    p50: counted.map(({ ms }) => quantile(ms, 0.5)),
    p95: counted.map(({ ms }) => quantile(ms, 0.95)),
    all: {
      calls: counted.reduce((sum, { calls }) => sum + calls, 0),
      failed: counted.reduce((sum, { failed }) => sum + failed, 0),
      ...{ p50: quantile(all, 0.5), p95: quantile(all, 0.95) },
    },
    isWhole: lines < maxLines,
  }
}

/** A time in which an act waited for a person. */
interface Wait {
  readonly from: number
  readonly to: number
}

function noteWait(waits: Map<string, Wait[]>, { act, at, ms }: CallEventRow): void {
  waits.set(act, [...(waits.get(act) ?? []), { from: at - (ms ?? 0), to: at }])
}

function countCall(
  step: { calls: number; failed: number; ms: number[] } | undefined,
  { act, at, ms, outcome }: CallEventRow,
  waits: Map<string, Wait[]>,
): void {
  if (!step) return
  const waited = waits.get(act) ?? []
  waits.delete(act)
  step.calls += 1
  if (outcome !== 'ok' && outcome !== 'cancelled') step.failed += 1
  const from = at - (ms ?? 0)
  const forPerson = waited.reduce((sum, wait) => sum + Math.max(0, wait.to - Math.max(from, wait.from)), 0)
  step.ms.push(Math.max(0, (ms ?? 0) - forPerson))
}

function quantile(sorted: readonly number[], part: number): number | null {
  return sorted[Math.min(sorted.length - 1, Math.floor(sorted.length * part))] ?? null
}
