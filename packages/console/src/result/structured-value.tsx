import { ScrollArea } from '../parts/scroll-area.tsx'
import { Said } from '../text/said.tsx'
import { JsonTree } from './json-tree.tsx'
import styles from './result.module.css'
import { columnsOf, ValueTable } from './value-table.tsx'

/** A value with structure: a list of alike objects is a table, also where it is the only member; all else is a tree. */
export function StructuredValue({ value }: { readonly value: unknown }) {
  const [name, list] = onlyMember(value) ?? [undefined, value]
  const columns = columnsOf(list)
  if (columns) {
    return (
      <div>
        {name !== undefined && (
          <p className={styles.faint}>
            <Said text={name} oneLine />
          </p>
        )}
        <ValueTable rows={list as readonly Record<string, unknown>[]} columns={columns} />
      </div>
    )
  }
  return (
    <ScrollArea className={`${styles.text} ${styles.tree}`} label="Result as a tree">
      <JsonTree value={value} />
    </ScrollArea>
  )
}

function onlyMember(value: unknown): readonly [string, unknown] | undefined {
  if (typeof value !== 'object' || value === null || Array.isArray(value)) return undefined
  const [member, ...others] = Object.entries(value)
  return others.length === 0 ? member : undefined
}
