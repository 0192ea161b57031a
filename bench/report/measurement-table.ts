import type { Measurement } from '../measure/measurement.ts'
import { plotGrowth } from './plot.ts'
import { type Figure, limit, limitOf, type Row, ratioOf } from './row.ts'
import { type Summary, summarise } from './statistics.ts'
import { figure, textTable } from './table.ts'

/** Everything one measurement found, as text for a terminal. */
export function measurementTable({ title, name }: Measurement, rows: readonly Row[]): string {
  const groups = [...new Set(rows.map((row) => row.group))]
  const growth = rows.some((row) => row.at !== undefined)
  const tables = growth ? [plotGrowth(rows)] : groups.map((group) => groupTable(group, rows))
  return [`${title}  (${name})`, ...tables, ...absences(rows)].join('\n\n')
}

function groupTable(group: string, all: readonly Row[]): string {
  const rows = all.filter((row) => row.group === group && row.absent === undefined)
  const unit = rows[0]?.unit ?? ''
  const direction = rows[0]?.better === 'less' ? '↓' : '↑'
  const limited = rows.some((row) => row.contestant === limit)
  const timed = rows.some((row) => row.p50Ms !== undefined)
  const metered = rows.some((row) => row.cpuMicros !== undefined)
  const head = [
    '',
    '',
    `${unit} ${direction}`,
    ...(limited ? ['of raw', 'spread'] : []),
    ...(metered ? ['cpu µs', ...(limited ? ['of raw', 'spread'] : [])] : []),
    ...(timed ? ['p50 ms', 'p99 ms'] : []),
  ]
  const lines = rows.map((row) => [
    ...[row.contestant, row.variant, unit === 'files' ? String(row.rounds[0]) : median(row.rounds)],
    ...(limited ? ratioCells(row, all) : []),
    ...(metered ? [median(row.cpuMicros), ...(limited ? ratioCells(row, all, 'cpuMicros') : [])] : []),
    ...(timed ? [median(row.p50Ms), median(row.p99Ms)] : []),
  ])
  const table = textTable([head, ...lines])
  return group === '' ? table : `${group}\n${table}`
}

function median(rounds: readonly number[] = []): string {
  return figure(summarise(rounds).median)
}

function ratioCells(row: Row, rows: readonly Row[], by?: Figure): string[] {
  const baseline = limitOf(row, rows)
  if (baseline === undefined) return ['', '']
  const ratio = ratioOf(row, baseline, by)
  return [figure(ratio.median), spread(ratio)]
}

function spread({ low, high }: Summary): string {
  return `${figure(low)}–${figure(high)}`
}

/** Missing contestants and the reasons, each once. */
function absences(rows: readonly Row[]): string[] {
  const absent = rows.filter((row) => row.absent !== undefined)
  const groups = Map.groupBy(absent, (row) => `${row.contestant} ${row.absent}`)
  const lines = [...groups.values()].map((same) => {
    const variants = [...new Set(same.map((row) => row.variant))].filter((variant) => variant !== '')
    const who = [same[0]?.contestant, variants.join(', ')].filter((part) => part !== '').join(' ')
    return `${who}: ${same[0]?.absent}`
  })
  return lines.length === 0 ? [] : [lines.join('\n')]
}
