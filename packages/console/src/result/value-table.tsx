import { ScrollArea } from '../parts/scroll-area.tsx'
import { Said } from '../text/said.tsx'
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
  return (
    <ScrollArea className={styles.scroll} label="Result as a table">
      <table>
        <thead>
          <tr>
            {columns.map((column) => (
              <th key={column} scope="col">
                <Said text={column} oneLine />
              </th>
            ))}
          </tr>
        </thead>
        <tbody>
          {rows.map((row, index) => (
            // biome-ignore lint/suspicious/noArrayIndexKey: rows have no other identity
            <tr key={index}>
              {columns.map((column) => (
                <td key={column}>
                  <Said text={Object.hasOwn(row, column) ? String(row[column]) : ''} />
                </td>
              ))}
            </tr>
          ))}
        </tbody>
      </table>
    </ScrollArea>
  )
}
