import { ScrollArea } from '../parts/scroll-area.tsx'
import { JsonTree } from './json-tree.tsx'
import styles from './result.module.css'
import { columnsOf, ValueTable } from './value-table.tsx'

/** A value with structure: a list of alike objects is a table, all else a tree. */
export function StructuredValue({ value }: { readonly value: unknown }) {
  const columns = columnsOf(value)
  if (columns) return <ValueTable rows={value as readonly Record<string, unknown>[]} columns={columns} />
  return (
    <ScrollArea className={`${styles.text} ${styles.tree}`} label="Result as a tree">
      <JsonTree value={value} />
    </ScrollArea>
  )
}
