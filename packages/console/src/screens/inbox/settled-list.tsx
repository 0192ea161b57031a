import { Link } from '@tanstack/react-router'
import { activity } from '../../host/activity.ts'
import type { SettledQuestion } from '../../host/settled.ts'
import { useStore } from '../../host/store.ts'
import styles from '../../parts/list-beside.module.css'
import { itemProps } from '../../parts/list-beside.tsx'
import { shortWords } from '../../questions/question-words.ts'
import { Said } from '../../text/said.tsx'
import { settledWords } from './settled-words.ts'

/** Questions settled while the page was open: how, and by whom. */
export function SettledList({
  settled,
  chosen,
}: {
  readonly settled: readonly SettledQuestion[]
  readonly chosen: string | undefined
}) {
  const { lines } = useStore(activity)
  if (settled.length === 0) return null
  return (
    <div>
      <h2 className={styles.heading}>Settled</h2>
      <ul className={styles.list} aria-label="Questions that were settled">
        {settled.slice(0, 10).map((one) => {
          const { question } = one
          return (
            <li key={question.id}>
              <Link to="/inbox/$id" params={{ id: question.id }} {...itemProps(question.id === chosen)}>
                <span className={`${styles.of} ${styles.ends}`}>
                  <Said text={shortWords(question)} oneLine />
                  <Said text={settledWords(one, lines)} oneLine />
                </span>
              </Link>
            </li>
          )
        })}
      </ul>
    </div>
  )
}
