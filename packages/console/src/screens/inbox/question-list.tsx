import { Link } from '@tanstack/react-router'
import type { Question } from '../../host/queries.ts'
import { shortWords } from '../../questions/question-words.ts'
import styles from '../../questions/questions.module.css'
import { Said } from '../../text/said.tsx'
import { Time } from '../../text/time.tsx'

/** The questions that wait, oldest first. */
export function QuestionList({
  questions,
  chosen,
}: {
  readonly questions: readonly Question[]
  readonly chosen: string | undefined
}) {
  return (
    <ul className={styles.list} aria-label="Questions that wait">
      {questions.map((question) => (
        <li key={question.id}>
          <Link
            to="/inbox/$id"
            params={{ id: question.id }}
            className={`${styles.item} ${question.id === chosen ? styles.chosen : ''}`}
            aria-current={question.id === chosen ? 'true' : undefined}
          >
            <div className={styles.what}>
              <Said text={shortWords(question)} oneLine />
            </div>
            <div className={styles.who}>
              <Said text={question.server} oneLine />
              <Time at={question.askedAt} />
            </div>
          </Link>
        </li>
      ))}
    </ul>
  )
}
