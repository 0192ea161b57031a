import { type Figure, limitOf, type Row, ratioOf } from './row.ts'
import { summarise } from './statistics.ts'
import { figure } from './table.ts'

/** Row that a floor looks at. */
export type RowName = Pick<Row, 'measurement' | 'group' | 'contestant' | 'variant'>

/** A promise about a figure, or about its ratio to another, that a run can break. */
export interface Floor {
  readonly name: string
  /** True if a run must keep it; the others are only shown. */
  readonly active: boolean
  readonly of: RowName
  readonly against?: RowName
  /** Figure to compare. @default the one that the measurement is about */
  readonly by?: Figure
  /** Work common to both, which is subtracted before they are compared. */
  readonly beyond?: RowName
  readonly atLeast?: number
  readonly atMost?: number
}

/** Verdict of a run on a floor. */
export interface Verdict {
  readonly floor: Floor
  readonly outcome: 'kept' | 'broken' | 'not measured'
  readonly value?: number
}

interface Compared {
  readonly row: Row
  readonly other: Row
  readonly by: Figure
}

/** Holds every floor against the rows; those of measurements that did not run are left out. */
export function judge(floors: readonly Floor[], rows: readonly Row[]): Verdict[] {
  const ran = new Set(rows.map((row) => row.measurement))
  return floors.filter((floor) => ran.has(floor.of.measurement)).map((floor) => verdictOn(floor, rows))
}

/** The verdicts that must fail a run: active floors that are broken or that nothing measured. */
export function failures(verdicts: readonly Verdict[]): Verdict[] {
  return verdicts.filter(({ floor, outcome }) => floor.active && outcome !== 'kept')
}

/** A verdict as one line for people. */
export function verdictLine({ floor, outcome, value }: Verdict): string {
  const bound = floor.atLeast === undefined ? `at most ${floor.atMost}` : `at least ${floor.atLeast}`
  const found = value === undefined ? outcome : `${outcome}: ${figure(value)}, ${bound}`
  return `${floor.name} (${found})${floor.active ? '' : ' [not active yet]'}`
}

function verdictOn(floor: Floor, rows: readonly Row[]): Verdict {
  const value = measuredValue(floor, rows)
  if (value === undefined || Number.isNaN(value)) return { floor, outcome: 'not measured' }
  const { atLeast = Number.NEGATIVE_INFINITY, atMost = Number.POSITIVE_INFINITY } = floor
  return { floor, outcome: value >= atLeast && value <= atMost ? 'kept' : 'broken', value }
}

function measuredValue({ of, against, beyond, by = 'rounds' }: Floor, rows: readonly Row[]): number | undefined {
  const row = find(of, rows)
  if (row === undefined) return undefined
  if (against === undefined) return medianOf(row, by)
  const other = find(against, rows)
  if (other === undefined) return undefined
  if (beyond !== undefined) return ratioBeyond(find(beyond, rows), { row, other, by })
  const together = row.measurement === other.measurement && row.group === other.group
  return together ? ratioOf(row, other, by).median : ratioApart({ row, other, by }, rows)
}

/** Rows of different groups ran at different times, so each is held against the limit of its own group first, where both have one. */
function ratioApart({ row, other, by }: Compared, rows: readonly Row[]): number {
  const [limit, limitOfOther] = [limitOf(row, rows), limitOf(other, rows)]
  if (limit === undefined || limitOfOther === undefined) return medianOf(row, by) / medianOf(other, by)
  return ratioOf(row, limit, by).median / ratioOf(other, limitOfOther, by).median
}

function find({ measurement, group, contestant, variant }: RowName, rows: readonly Row[]): Row | undefined {
  return rows.find(
    (row) =>
      row.measurement === measurement &&
      row.group === group &&
      row.contestant === contestant &&
      row.variant === variant &&
      row.rounds.length > 0,
  )
}

function ratioBeyond(base: Row | undefined, { row, other, by }: Compared): number | undefined {
  if (base === undefined) return undefined
  return (medianOf(row, by) - medianOf(base, by)) / (medianOf(other, by) - medianOf(base, by))
}

function medianOf(row: Row, by: Figure): number {
  return summarise(row[by] ?? []).median
}
