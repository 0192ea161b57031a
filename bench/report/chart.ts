import { type Machine, machineLine } from './machine.ts'
import { limitOf, type Row, ratioOf } from './row.ts'
import type { Summary } from './statistics.ts'
import { drawing, element, words } from './svg.ts'
import { figure } from './table.ts'

const width = 860
const left = 300
const right = 110
const line = 20
const gap = 34

/** Light and dark, by what the reader prefers. */
export const style = `
text{font:12px system-ui,sans-serif;fill:#24292f}.title{font-weight:600}.faint{fill:#6e7781}
.bar{fill:#8c959f}.ours{fill:#1f6feb}.whisker,.axis{stroke:#57606a;fill:none}.axis{stroke-dasharray:2 3}
@media(prefers-color-scheme:dark){text{fill:#e6edf3}.faint{fill:#8d96a0}.bar{fill:#6e7681}.ours{fill:#4493f8}.whisker,.axis{stroke:#8d96a0}}
`.replaceAll('\n', '')

/** Bars of everyone's share of the limit, with the spread of the rounds: one block for each group of calls. */
export function throughputChart(rows: readonly Row[], machine: Machine): string {
  const parts: string[] = []
  const blocks = blocksOf(rows)
  const most = Math.max(1, ...blocks.flatMap(({ rows: shown }) => shown.map((row) => shareOf(row, rows).high)))
  let y = 24
  for (const block of blocks) {
    parts.push(words(block.title, { x: 12, y, class: 'title' }))
    y += 10
    for (const row of block.rows) {
      parts.push(...bar(row, shareOf(row, rows), { y, most }))
      y += line
    }
    y += gap
  }
  parts.push(words(machineLine(machine), { x: 12, y, class: 'faint' }))
  return drawing({ title: 'Share of the limit', width, height: y + 16, style }, parts)
}

interface Block {
  readonly title: string
  readonly rows: readonly Row[]
}

function blocksOf(rows: readonly Row[]): Block[] {
  const shown = rows.filter(
    (row) => row.unit === 'calls/s' && row.rounds.length > 0 && limitOf(row, rows) !== undefined,
  )
  const byTitle = Map.groupBy(shown, (row) => `${row.measurement}, ${row.group}`.replace(/, $/, ''))
  return [...byTitle].map(([title, block]) => ({ title: `${title}: share of the limit`, rows: block }))
}

/** Its share of the limit; every row that is shown has one. */
function shareOf(row: Row, rows: readonly Row[]): Summary {
  return ratioOf(row, limitOf(row, rows) ?? row)
}

function bar(row: Row, { median, low, high }: Summary, { y, most }: { y: number; most: number }): string[] {
  const middle = y + line / 2
  const x = (share: number) => left + (share / most) * (width - left - right)
  const path = `M${x(low).toFixed(1)} ${middle}H${x(high).toFixed(1)}`
  return [
    words(`${row.contestant}  ${row.variant}`.trim(), { x: left - 8, y: middle + 4, 'text-anchor': 'end' }),
    element('rect', {
      ...{ x: left, y: y + 3, width: x(median) - left, height: line - 6, rx: 2 },
      class: row.contestant === 'trunkline' ? 'ours' : 'bar',
    }),
    element('path', { d: path, class: 'whisker' }),
    words(figure(median), { x: x(Math.max(median, high)) + 6, y: middle + 4 }),
  ]
}
