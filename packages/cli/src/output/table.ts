import { visibleLine } from '@trunkline/host/text'
import { displayWidth, fitWidth } from './display-width.ts'
import type { Line, Span, Style } from './span.ts'
import { wrapWidth } from './wrap-width.ts'

/** One column of a table. */
export interface Column {
  readonly title: string
  /** Style of its cells, or the style of each by its text. @default plain */
  readonly style?: Style | ((cell: string) => Style | undefined)
  /** Set to wrap a wide cell of the last column instead of cutting it. @default false */
  readonly wraps?: boolean
}

/** A column is not made wider than this by what stands in it. */
const maxColumnWidth = 48
/** Least width of a column on a narrow screen, and of the last one on any. */
const minColumnWidth = 12
const minLastWidth = 20

/**
 * The lines of a table: columns as wide as their widest cell, up to a limit. On a screen no line is wider than that: a wide cell
 * goes on below itself, and the last column is cut unless it wraps, too. Elsewhere a row is one line and nothing is cut.
 */
export function tableLines(
  columns: readonly Column[],
  rows: readonly (readonly string[])[],
  screenWidth = Number.POSITIVE_INFINITY,
): readonly Line[] {
  const titles = columns.map(({ title }) => title.toUpperCase())
  const cells = rows.map((row) => row.map(visibleLine))
  const widest = titles.map((_, at) => widthOf([titles, ...cells], at))
  const isOnScreen = Number.isFinite(screenWidth)
  const last = isOnScreen ? Math.min(widest.at(-1) ?? 0, Math.floor(screenWidth / 3)) : 0
  const widths = fittingWidths(widest.slice(0, -1), screenWidth - Math.max(minLastWidth, last))
  const room = Math.max(minLastWidth, screenWidth - widths.reduce((sum, width) => sum + width + 2, 0))
  const cellLines = (text: string, at: number): readonly string[] => {
    if (!isOnScreen) return [text]
    if (at === widths.length && !columns[at]?.wraps) return [fitWidth(text, room)]
    return wrapWidth(text, widths[at] ?? room)
  }
  const linesOf = (row: readonly string[], styleOf: (at: number) => Style | undefined): readonly Line[] => {
    const parts = columns.map((_, at) => cellLines(row[at] ?? '', at))
    const height = Math.max(...parts.map(({ length }) => length))
    const texts = Array.from({ length: height }, (_, line) => parts.map((part) => part[line] ?? ''))
    return texts.map((each) => lineOf(each, widths, styleOf))
  }
  const styleIn = (row: readonly string[]) => (at: number) => {
    const style = columns[at]?.style
    return typeof style === 'function' ? style(row[at] ?? '') : style
  }
  return [...linesOf(titles, () => 'faint'), ...cells.flatMap((row) => linesOf(row, styleIn(row)))]
}

function widthOf(rows: readonly (readonly string[])[], at: number): number {
  return Math.min(
    maxColumnWidth,
    rows.reduce((most, row) => Math.max(most, displayWidth(row[at] ?? '')), 0),
  )
}

function lineOf(
  texts: readonly string[],
  widths: readonly number[],
  styleOf: (at: number) => Style | undefined,
): readonly Span[] {
  const last = texts.findLastIndex((text) => text !== '')
  return texts.slice(0, last + 1).flatMap((text, at): readonly Span[] => {
    const style = styleOf(at)
    const span = style === undefined || text === '' ? text : { text, style }
    return at === last ? [span] : [span, ' '.repeat(Math.max(0, (widths[at] ?? 0) - displayWidth(text)) + 2)]
  })
}

/** Makes the widest columns narrower until all of them fit, or none can be narrower. */
function fittingWidths(widths: readonly number[], room: number): readonly number[] {
  const most = Math.max(...widths)
  const taken = widths.reduce((sum, width) => sum + width + 2, 0)
  if (taken <= room || most <= minColumnWidth) return widths
  return fittingWidths(
    widths.map((width) => (width === most ? width - 1 : width)),
    room,
  )
}
