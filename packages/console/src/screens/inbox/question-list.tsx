import { Link } from '@tanstack/react-router'
import type { Question } from '../../host/queries.ts'
import styles from '../../parts/list-beside.module.css'
import { itemProps } from '../../parts/list-beside.tsx'
import { shortWords } from '../../questions/question-words.ts'
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
          <Link to="/inbox/$id" params={{ id: question.id }} {...itemProps(question.id === chosen)}>
            <span className={styles.name}>
              <Said text={shortWords(question)} oneLine />
            </span>
            <span className={`${styles.of} ${styles.ends}`}>
              <Said text={question.server} oneLine />
              <Time at={question.askedAt} />
            </span>
          </Link>
        </li>
      ))}
    </ul>
  )
}
