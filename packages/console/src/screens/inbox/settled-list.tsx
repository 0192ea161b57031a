import { Link } from '@tanstack/react-router'
import type { SettledQuestion } from '../../host/settled.ts'
import { shortWords } from '../../questions/question-words.ts'
import styles from '../../questions/questions.module.css'
import { Said } from '../../text/said.tsx'

/** What was settled while the page was open, and by whom. */
export function SettledList({ settled }: { readonly settled: readonly SettledQuestion[] }) {
  if (settled.length === 0) return null
  return (
    <div>
      <h2 className={styles.heading}>Settled</h2>
      <ul className={styles.list} aria-label="Questions that were settled">
        {settled.slice(0, 10).map(({ question, by }) => (
          <li key={question.id}>
            <Link to="/inbox/$id" params={{ id: question.id }} className={styles.item}>
              <div className={styles.who}>
                <Said text={shortWords(question)} oneLine />
                <Said text={by} oneLine />
              </div>
            </Link>
          </li>
        ))}
      </ul>
    </div>
  )
}
