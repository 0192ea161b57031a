import { useQuery } from '@tanstack/react-query'
import { Link, useLocation } from '@tanstack/react-router'
import { useEffect, useState } from 'react'
import { inboxQuery } from '../host/queries.ts'
import { useStore } from '../host/store.ts'
import { Button } from '../parts/button.tsx'
import { Notice } from '../parts/notice.tsx'
import { longWords } from '../questions/question-words.ts'
import { shownQuestions } from '../questions/shown-questions.ts'
import { Said } from '../text/said.tsx'
import styles from './outcome-notice.module.css'

/** Newest question that came while a person is elsewhere; those that waited when the page was opened are only counted. */
export function QuestionNotice() {
  const questions = useQuery(inboxQuery).data?.items
  const isInbox = useLocation({ select: ({ pathname }) => pathname.startsWith('/inbox') })
  const shown = useStore(shownQuestions)
  const [seen, setSeen] = useState<ReadonlySet<string>>()
  useEffect(() => {
    if (!questions) return
    // those of the first answer, and all that were on the screen or in the inbox meanwhile
    setSeen((known) => {
      const isNew = (id: string) => known !== undefined && !known.has(id) && !isInbox && !shown.has(id)
      const now = questions.filter(({ id }) => !isNew(id)).map(({ id }) => id)
      return known && now.every((id) => known.has(id)) ? known : new Set([...(known ?? []), ...now])
    })
  }, [questions, isInbox, shown])
  const question = seen && questions?.findLast(({ id }) => !seen.has(id) && !shown.has(id))
  return (
    <div role="status" className={styles.question}>
      {question && !isInbox && (
        <Notice tone="warn">
          <div className={styles.words}>
            <Said text={longWords(question)} oneLine />
            <span className="buttons">
              <Link to="/inbox/$id" params={{ id: question.id }}>
                Answer
              </Link>
              <Button size="s" tone="quiet" onClick={() => setSeen(new Set([...seen, question.id]))}>
                Later
              </Button>
            </span>
          </div>
        </Notice>
      )}
    </div>
  )
}
