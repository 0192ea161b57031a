import type { RouteAnswer } from '@trunkline/host/page-api'
import { Notice } from '../../parts/notice.tsx'
import { Said } from '../../text/said.tsx'
import styles from './policy.module.css'

/** Problems in a file, each with its line. */
export function FileProblems({ problems }: { readonly problems: RouteAnswer<'dryRunPolicy'>['problems'] }) {
  return (
    <div role="status">
      {problems.length > 0 && (
        <Notice tone="bad">
          <ul className={styles.list} aria-label="What is wrong in the file">
            {problems.slice(0, 20).map((one) => (
              <li key={`${one.line} ${one.key} ${one.problem} ${one.fix}`}>
                Line {one.line}: <Said text={[one.key, `${one.problem};`, one.fix].filter(Boolean).join(' ')} />
              </li>
            ))}
          </ul>
        </Notice>
      )}
    </div>
  )
}
