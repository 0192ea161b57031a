import { ratios, type Summary, summarise } from './statistics.ts'

/** The figures of one entrant, round by round, or the reason there are none. */
export interface Row {
  readonly measurement: string
  readonly group: string
  readonly contestant: string
  readonly variant: string
  readonly unit: string
  readonly better: 'more' | 'less'
  readonly at?: number
  readonly rounds: readonly number[]
  /** Milliseconds within which half of the calls ended, and all but one of a hundred; round by round. */
  readonly p50Ms?: readonly number[]
  readonly p99Ms?: readonly number[]
  /** Microseconds of processor time that a call cost the server, round by round. */
  readonly cpuMicros?: readonly number[]
  readonly absent?: string
}

/** The name of the limit everyone is compared with. */
export const limit = 'raw'

/** The row of the limit in the same group, in the same variant where there is one. */
export function limitOf(row: Row, rows: readonly Row[]): Row | undefined {
  const limits = rows.filter(
    (other) => other.measurement === row.measurement && other.group === row.group && other.contestant === limit,
  )
  return limits.find((other) => other.variant === row.variant) ?? limits[0]
}

/** The figures of a row that a round has one of each. */
export type Figure = 'rounds' | 'p50Ms' | 'p99Ms' | 'cpuMicros'

/** A row as a multiple of another of the same group, round by round. */
export function ratioOf(row: Row, other: Row, figure: Figure = 'rounds'): Summary {
  return summarise(ratios(row[figure] ?? [], other[figure] ?? []))
}
