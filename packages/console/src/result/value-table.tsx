import { ScrollArea } from '../parts/scroll-area.tsx'
import { Said } from '../text/said.tsx'
import { Grid } from './grid.tsx'
import styles from './result.module.css'

const maxColumns = 12
const maxRows = 500

/** The columns of a list of alike, flat objects; undefined for all else. */
export function columnsOf(value: unknown): readonly string[] | undefined {
  if (!Array.isArray(value) || value.length < 2 || value.length > maxRows) return undefined
  const columns = new Set<string>()
  for (const row of value) {
    if (typeof row !== 'object' || row === null || Array.isArray(row)) return undefined
    for (const [key, cell] of Object.entries(row)) {
      if (typeof cell === 'object' && cell !== null) return undefined
      columns.add(key)
    }
    if (columns.size > maxColumns) return undefined
  }
  return [...columns]
}

/** A list of alike objects as a table. */
export function ValueTable({
  rows,
  columns,
}: {
  readonly rows: readonly Record<string, unknown>[]
  readonly columns: readonly string[]
}) {
  const cells = rows.map((row) =>
    columns.map((column) => <Said key={column} text={Object.hasOwn(row, column) ? String(row[column]) : ''} />),
  )
  return (
    <ScrollArea className={styles.scroll} label="Result as a table">
      <Grid head={columns.map((column) => <Said key={column} text={column} oneLine />)} rows={cells} />
    </ScrollArea>
  )
}
