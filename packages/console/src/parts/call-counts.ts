import type { ChainedLine } from '../host/queries.ts'
import { formatNumber } from '../text/number.ts'
import { plural } from '../text/plural.ts'
import { duration } from '../text/relative-time.ts'

/** Calls in equal steps of time, oldest first. */
export interface CallCounts {
  /** The end of each step, in seconds, as curves want it. */
  readonly at: readonly number[]
  readonly calls: readonly number[]
  readonly failed: readonly number[]
  /** Half of the calls of a step were at most so slow, in milliseconds; null where there were none. */
  readonly usual: readonly (number | null)[]
  /** The same for 95 of 100 calls. */
  readonly slow: readonly (number | null)[]
  readonly minutes: number
  /** The same of all calls. */
  readonly all: {
    readonly calls: number
    readonly failed: number
    readonly p50: number | null
    readonly p95: number | null
  }
}

const steps = 60
const shortMs = 10 * 60_000
const longMs = 60 * 60_000

/**
 * Counts the calls in lines of the ledger: of the last ten minutes, or of the last hour where they reach that far back. They
 * are those that the number of calls in 30 days counts; the time that a call waited for a person is not the server's.
 */
export function callCounts(lines: readonly ChainedLine[], now: number): CallCounts {
  const ended = lines.filter((one) => one.at > now - longMs && isCall(one))
  const waited = waitsForPeople(lines)
  const spanMs = ended.some(({ at }) => at < now - shortMs) ? longMs : shortMs
  const stepMs = spanMs / steps
  const byStep = Array.from({ length: steps }, (): { failed: number; ms: number[] } => ({ failed: 0, ms: [] }))
  for (const { at, line } of ended) {
    const step = byStep[steps - 1 - Math.floor(Math.max(0, now - at) / stepMs)]
    if (!step) continue
    step.ms.push(Math.max(0, (line.ms ?? 0) - (waited.get(line.act ?? '') ?? 0)))
    if (line.outcome !== 'ok' && line.outcome !== 'cancelled') step.failed += 1
  }
  const sorted = byStep.map(({ ms }) => ms.sort((one, other) => one - other))
  const all = sorted.flat().sort((one, other) => one - other)
  return {
    at: byStep.map((_, index) => (now - (steps - 1 - index) * stepMs) / 1_000),
    calls: sorted.map((ms) => ms.length),
    failed: byStep.map(({ failed }) => failed),
    usual: sorted.map((ms) => quantile(ms, 0.5)),
    slow: sorted.map((ms) => quantile(ms, 0.95)),
    minutes: spanMs / 60_000,
    all: {
      calls: all.length,
      failed: byStep.reduce((sum, { failed }) => sum + failed, 0),
      ...{ p50: quantile(all, 0.5), p95: quantile(all, 0.95) },
    },
  }
}

/** A refused call did not run; one that waits for a person is made once more, and counts then. */
function isCall({ line: { kind, actKind } }: ChainedLine): boolean {
  return kind === 'ended' && actKind === 'call'
}

/** Milliseconds that each act waited for a person. */
function waitsForPeople(lines: readonly ChainedLine[]): ReadonlyMap<string, number> {
  const waited = new Map<string, number>()
  for (const { line } of lines) {
    if (line.kind !== 'decided' || line.act === undefined) continue
    waited.set(line.act, (waited.get(line.act) ?? 0) + (line.ms ?? 0))
  }
  return waited
}

/** The same in a sentence. */
export function countsInWords({ calls, failed, slow, minutes }: CallCounts): string {
  const sum = (counts: readonly number[]) => counts.reduce((total, count) => total + count, 0)
  const slowest = duration(Math.max(0, ...slow.map((ms) => ms ?? 0)))
  const all = sum(calls)
  if (all === 0) return `No calls in the last ${minutes} minutes`
  return `${plural(all, 'call')} in the last ${minutes} minutes, ${formatNumber(sum(failed))} failed, p95 ${slowest}`
}

/** Counts where there are some, and the ground only right beside them: none at all is no line. */
export function onlyWhereSome(counts: readonly number[]): readonly (number | null)[] {
  const isSome = (index: number) => (counts[index] ?? 0) > 0
  return counts.map((count, index) => (isSome(index - 1) || isSome(index) || isSome(index + 1) ? count : null))
}

function quantile(sorted: readonly number[], part: number): number | null {
  return sorted[Math.min(sorted.length - 1, Math.floor(sorted.length * part))] ?? null
}
