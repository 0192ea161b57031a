import { style } from './chart.ts'
import { type Machine, machineLine } from './machine.ts'
import { growthLines } from './plot.ts'
import type { Row } from './row.ts'
import { drawing, element, words } from './svg.ts'
import { figure } from './table.ts'

const width = 860
const height = 300
const plot = { left: 70, right: 620, top: 40, bottom: 250 }

/** Lines of the cost of a call by size, both axes logarithmic: a flat line is the aim. */
export function growthChart(title: string, rows: readonly Row[], machine: Machine): string {
  const lines = growthLines(rows)
  const sizes = [...new Set(rows.flatMap((row) => row.at ?? []))]
  const costs = lines.flatMap((one) => [...one.costs.values()])
  const x = scale(sizes, plot.left, plot.right)
  const y = scale(costs, plot.bottom, plot.top)
  const ticks = sizes.flatMap((size) => [
    element('path', { d: `M${x(size).toFixed(1)} ${plot.top}V${plot.bottom}`, class: 'axis' }),
    words(size.toLocaleString('en'), { x: x(size), y: plot.bottom + 18, 'text-anchor': 'middle' }),
  ])
  return drawing({ title, width, height, style }, [
    words(`${title}, µs`, { x: 12, y: 20, class: 'title' }),
    ...ticks,
    ...labelled(lines, y).flatMap(({ name, points, labelY }) =>
      lineOf(
        name,
        points.map(([size, cost]) => [x(size), y(cost)]),
        labelY,
      ),
    ),
    words(machineLine(machine), { x: 12, y: height - 10, class: 'faint' }),
  ])
}

/** Maps values to a stretch, by their logarithm. */
export function scale(values: readonly number[], from: number, to: number): (value: number) => number {
  const low = Math.log(Math.min(...values))
  const high = Math.log(Math.max(...values))
  return (value) => (high === low ? (from + to) / 2 : from + ((Math.log(value) - low) / (high - low)) * (to - from))
}

type Line = ReturnType<typeof growthLines>[number]

/** Every line with its points in order, and a height for its label that no other label has. */
function labelled(lines: readonly Line[], y: (cost: number) => number) {
  let lowest = plot.top - 16
  return lines
    .map(({ name, costs }) => ({ name, points: [...costs].toSorted(([one], [other]) => one - other) }))
    .toSorted((one, other) => y(one.points.at(-1)?.[1] ?? 1) - y(other.points.at(-1)?.[1] ?? 1))
    .map(({ name, points }) => {
      const last = points.at(-1)?.[1] ?? 1
      lowest = Math.max(lowest + 16, y(last))
      return { name: `${name}  ${figure(last)}`, points, labelY: lowest }
    })
}

function lineOf(name: string, points: readonly (readonly number[])[], labelY: number): string[] {
  const d = `M${points.map(([x = 0, y = 0]) => `${x.toFixed(1)} ${y.toFixed(1)}`).join('L')}`
  const ours = name.startsWith('trunkline')
  const stroke = ours ? '#1f6feb' : '#8c959f'
  return [
    element('path', { d, fill: 'none', stroke, 'stroke-width': ours ? 3 : 1.5 }),
    words(name, { x: plot.right + 10, y: labelY + 4 }),
  ]
}
