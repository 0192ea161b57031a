import { visibleLine } from '@trunkline/host/text'
import { displayWidth, fitWidth } from './display-width.ts'
import type { Line, Span, Style } from './span.ts'

/** One column of a table. */
export interface Column {
  readonly title: string
  readonly style?: Style
}

/** A cell that is wider than this does not widen its column: it alone reaches into the next one. */
const maxColumnWidth = 48

/** The lines of a table: columns as wide as their widest cell, up to a limit; the last one is cut where the screen ends. */
export function tableLines(
  columns: readonly Column[],
  rows: readonly (readonly string[])[],
  screenWidth = Number.POSITIVE_INFINITY,
): readonly Line[] {
  const cells = rows.map((row) => row.map(visibleLine))
  const widths = columns.map(({ title }, at) =>
    Math.min(
      maxColumnWidth,
      cells.reduce((most, row) => Math.max(most, displayWidth(row[at] ?? '')), displayWidth(title)),
    ),
  )
  const before = widths.slice(0, -1).reduce((sum, width) => sum + width + 2, 0)
  const room = Math.max(20, screenWidth - before)
  const lineOf = (row: readonly string[], styleAt: (at: number) => Style | undefined): Line =>
    columns.flatMap((_, at): Span[] => {
      const text = row[at] ?? ''
      const isLast = at === columns.length - 1
      const shown = isLast ? fitWidth(text, room) : text
      const style = styleAt(at)
      const span = style === undefined || shown === '' ? shown : { text: shown, style }
      return isLast ? [span] : [span, ' '.repeat(Math.max(0, (widths[at] ?? 0) - displayWidth(text)) + 2)]
    })
  const titles = columns.map(({ title }) => title.toUpperCase())
  return [lineOf(titles, () => 'faint'), ...cells.map((row) => lineOf(row, (at) => columns[at]?.style))]
}
