import { Link } from '@tanstack/react-router'
import { activity } from '../../host/activity.ts'
import type { SettledQuestion } from '../../host/settled.ts'
import { useStore } from '../../host/store.ts'
import styles from '../../parts/list-beside.module.css'
import { itemProps } from '../../parts/list-beside.tsx'
import { shortWords } from '../../questions/question-words.ts'
import { Said } from '../../text/said.tsx'
import { Time } from '../../text/time.tsx'
import { pastWords, type RememberedQuestion, settledWords } from './settled-words.ts'

const maxShown = 30

export interface SettledListProps {
  /** Those settled while the page was open. */
  readonly settled: readonly SettledQuestion[]
  /** Those that the host remembers. */
  readonly past: readonly RememberedQuestion[]
  readonly chosen: string | undefined
}

/** Questions that wait no more: how each ended, and by whom. */
export function SettledList({ settled, past, chosen }: SettledListProps) {
  const { lines } = useStore(activity)
  const seen = new Set(settled.map(({ question }) => question.id))
  const all = [
    ...settled.map((one) => ({ ...one, words: settledWords(one, lines) })),
    ...past.filter(({ question }) => !seen.has(question.id)).map((one) => ({ ...one, words: pastWords(one) })),
  ]
  if (all.length === 0) return null
  return (
    <div>
      <h2 className={styles.heading}>Settled</h2>
      <ul className={styles.list} aria-label="Questions that were settled">
        {all.slice(0, maxShown).map(({ question, at, words }) => (
          <li key={question.id}>
            <Link to="/inbox/$id" params={{ id: question.id }} {...itemProps(question.id === chosen)}>
              <span className={styles.ends}>
                <span className={styles.over}>
                  <Said text={shortWords(question)} oneLine />
                </span>
                <span className={styles.of}>
                  <Time at={at} />
                </span>
              </span>
              <span className={styles.of}>
                <Said text={words} oneLine />
              </span>
            </Link>
          </li>
        ))}
      </ul>
    </div>
  )
}
