import { Diff } from '../parts/diff.tsx'
import { Said } from '../text/said.tsx'
import styles from './questions.module.css'

type Arguments = { readonly [name: string]: unknown }

/** Arguments of several lines that changed, each as the text it is and apart from the others, so that none can pose as another. */
export function TextChanges({ before, after }: { readonly before: Arguments; readonly after: Arguments }) {
  const names = Object.keys(after).filter(
    (name) => isLines(after[name]) && (before[name] === undefined || typeof before[name] === 'string'),
  )
  return names
    .filter((name) => before[name] !== after[name])
    .map((name) => (
      <div key={name} className={styles.part}>
        <span className={styles.why}>
          <code>
            <Said text={name} oneLine />
          </code>
          , as text
        </span>
        <Diff before={String(before[name] ?? '')} after={String(after[name])} label={`Text of ${name}, compared`} />
      </div>
    ))
}

function isLines(value: unknown): boolean {
  return typeof value === 'string' && value.trimEnd().includes('\n')
}
