/** A table of Markdown. */
export interface MarkdownTable {
  readonly kind: 'table'
  readonly head: readonly string[]
  readonly align: readonly ('left' | 'center' | 'right')[]
  readonly rows: readonly (readonly string[])[]
  /** Rows left out because the table is over the limit. */
  readonly left: number
  /** Number of lines of the text that it takes. */
  readonly lines: number
}

const maxColumns = 30
/** Longest line that is read as a table. */
const maxLine = 20_000
const maxRows = 500

/** The table that begins at a line: a head, below it a line of dashes with as many columns, and rows. */
export function markdownTable(lines: readonly string[], at: number): MarkdownTable | undefined {
  const dashes = lines[at + 1]
  if (!lines[at]?.includes('|') || Math.max(lines[at].length, dashes?.length ?? 0) > maxLine) return undefined
  if (dashes === undefined || !/^[\s|:-]*-[\s|:-]*$/.test(dashes)) return undefined
  const head = cellsOf(lines[at])
  const marks = cellsOf(dashes)
  if (head.length !== marks.length || head.length > maxColumns || !marks.every(isMark)) return undefined
  let end = at + 2
  while (end < lines.length && isRow(lines[end] ?? '')) end += 1
  const shown = Math.min(end, at + 2 + maxRows)
  const rows = lines.slice(at + 2, shown).map((line) => cellsOf(line).slice(0, head.length))
  return { kind: 'table', head, align: marks.map(alignmentOf), rows, left: end - shown, lines: end - at }
}

function isMark(cell: string): boolean {
  return /^:?-+:?$/.test(cell)
}

function isRow(line: string): boolean {
  return line.includes('|') && line.trim() !== ''
}

function alignmentOf(dashes: string): MarkdownTable['align'][number] {
  if (dashes.endsWith(':')) return dashes.startsWith(':') ? 'center' : 'right'
  return 'left'
}

/** The cells of a line; a bar in code or after a backslash belongs to its cell. */
function cellsOf(line: string): readonly string[] {
  const inner = line
    .trim()
    .replace(/^\|/, '')
    .replace(/(?<!\\)\|$/, '')
  const cells = ['']
  for (const [part] of inner.matchAll(/\\\||`[^`]*`|\||[^\\|`]+|[\\`]/g)) {
    if (part === '|') cells.push('')
    else cells.push(`${cells.pop()}${part === '\\|' ? '|' : part}`)
  }
  return cells.map((cell) => cell.trim())
}
