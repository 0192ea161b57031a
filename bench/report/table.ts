/** A text table: the first row is the head, columns of figures stand right. */
export function textTable(rows: readonly (readonly string[])[]): string {
  const columns = Math.max(0, ...rows.map((row) => row.length))
  const widths = Array.from({ length: columns }, (_, column) =>
    Math.max(...rows.map((row) => [...(row[column] ?? '')].length)),
  )
  const right = widths.map((_, column) => rows.slice(1).every((row) => looksLikeFigure(row[column] ?? '')))
  const line = (row: readonly string[]) =>
    widths
      .map((width, column) => pad(row[column] ?? '', right[column] ? -width : width))
      .join('  ')
      .trimEnd()
  const [head, ...rest] = rows
  if (head === undefined) return ''
  return [line(head), widths.map((width) => '─'.repeat(width)).join('  '), ...rest.map(line)].join('\n')
}

/** A figure for people: three digits that matter, thousands apart. */
export function figure(value: number): string {
  if (!Number.isFinite(value)) return '–'
  const size = Math.abs(value)
  if (size >= 100) return Math.round(value).toLocaleString('en').replaceAll(',', ' ')
  return value.toFixed(size >= 10 ? 1 : 2)
}

function looksLikeFigure(cell: string): boolean {
  return /^(–|-?\d[\d ]*(\.\d+)?)?(–\d[\d ]*(\.\d+)?)?( times| %)?$/.test(cell)
}

function pad(cell: string, width: number): string {
  const space = ' '.repeat(Math.max(0, Math.abs(width) - [...cell].length))
  return width < 0 ? space + cell : cell + space
}
