import type { ReactNode } from 'react'
import { lineDiff, nearChanges } from '../text/line-diff.ts'
import { Said } from '../text/said.tsx'
import { DiffLines } from './diff.tsx'
import styles from './shown-change.module.css'

/** A change of a file before it is written. */
export interface PlannedChange {
  readonly file: string
  readonly before: string
  readonly after: string
  /** Consequences, one sentence each. */
  readonly says: readonly string[]
  /** Secrets that are kept apart, by name. */
  readonly secrets: readonly string[]
}

/** Effect of a change on a file, and below it the buttons that write it or leave it. */
export function ShownChange({ change, children }: { readonly change: PlannedChange; readonly children: ReactNode }) {
  const { file, before, after, says, secrets } = change
  return (
    <div className={styles.change}>
      {says.map((sentence) => (
        <p key={sentence}>
          <Said text={sentence} />
        </p>
      ))}
      {secrets.length > 0 && (
        <p>
          Kept apart from the file, as: <Said text={secrets.join(', ')} />
        </p>
      )}
      {before === after ? (
        <p>Nothing changes in the file.</p>
      ) : (
        <>
          <p>
            It changes{' '}
            <code>
              <Said text={file} />
            </code>
            :
          </p>
          <DiffLines lines={nearChanges(lineDiff(before, after))} label={`Change to ${file}`} />
        </>
      )}
      <div className={styles.buttons}>{children}</div>
    </div>
  )
}
