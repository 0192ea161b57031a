import type { Row } from './row.ts'
import { summarise } from './statistics.ts'
import { figure, textTable } from './table.ts'

const bars = [...'▁▂▃▄▅▆▇█']

/** Growth as text: the cost at each size, how much it grew from the first to the last, and a small plot of it. */
export function plotGrowth(rows: readonly Row[]): string {
  const sizes = [...new Set(rows.flatMap((row) => row.at ?? []))].toSorted((left, right) => left - right)
  const lines = growthLines(rows).map(({ name, costs }) => {
    const shown = sizes.map((size) => costs.get(size) ?? Number.NaN)
    const known = shown.filter(Number.isFinite)
    return [name, ...shown.map(figure), sparkline(shown), `${figure((known.at(-1) ?? 0) / (known[0] ?? 1))} times`]
  })
  const unit = rows[0]?.unit ?? ''
  return textTable([[`${unit} at`, ...sizes.map((size) => size.toLocaleString('en')), '', 'grew'], ...lines])
}

/** Costs as a line of bars, one step up for each doubling over the cheapest. */
export function sparkline(values: readonly number[]): string {
  const least = Math.min(...values.filter(Number.isFinite))
  return values
    .map((value) => {
      if (!Number.isFinite(value)) return ' '
      const step = Math.round(Math.log2(value / least))
      return bars[Math.min(step, bars.length - 1)]
    })
    .join('')
}

/** The median cost at each size, by entrant. */
export function growthLines(rows: readonly Row[]): { name: string; costs: Map<number, number> }[] {
  const lines = new Map<string, Map<number, number>>()
  for (const { contestant, variant, at, rounds } of rows) {
    if (at === undefined || rounds.length === 0) continue
    const name = `${contestant} ${variant}`.trim()
    const costs = lines.get(name) ?? new Map<number, number>()
    lines.set(name, costs.set(at, summarise(rounds).median))
  }
  return [...lines].map(([name, costs]) => ({ name, costs }))
}
