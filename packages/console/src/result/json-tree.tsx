import { useState } from 'react'
import { Button } from '../parts/button.tsx'
import { Said } from '../text/said.tsx'
import styles from './result.module.css'

const shownAtOnce = 200
const openDepth = 2

/** A value as a tree whose branches open and close. */
export function JsonTree({
  value,
  name,
  depth = 0,
}: {
  readonly value: unknown
  readonly name?: string
  readonly depth?: number
}) {
  const key = name !== undefined && (
    <>
      <span className={styles.key}>
        <Said text={name} oneLine />
      </span>
      {': '}
    </>
  )
  if (typeof value !== 'object' || value === null) {
    return (
      <div>
        {key}
        <Said text={JSON.stringify(value) ?? 'undefined'} />
      </div>
    )
  }
  return (
    <details open={depth < openDepth}>
      <summary>
        {key}
        {Array.isArray(value) ? `[${value.length}]` : `{${Object.keys(value).length}}`}
      </summary>
      <Members value={value} depth={depth} />
    </details>
  )
}

function Members({ value, depth }: { readonly value: object; readonly depth: number }) {
  const [shown, setShown] = useState(shownAtOnce)
  const all = Object.entries(value)
  return (
    <div>
      {all.slice(0, shown).map(([key, member]) => (
        <JsonTree key={key} name={key} value={member} depth={depth + 1} />
      ))}
      {all.length > shown && (
        <Button size="s" onClick={() => setShown(shown + shownAtOnce)}>
          Show {Math.min(shownAtOnce, all.length - shown)} more
        </Button>
      )}
    </div>
  )
}
