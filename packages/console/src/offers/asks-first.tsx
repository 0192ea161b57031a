import { useQuery } from '@tanstack/react-query'
import { inboxQuery, type Question } from '../host/queries.ts'
import { Notice } from '../parts/notice.tsx'
import { QuestionDetail } from '../questions/question-detail.tsx'

/** The question that a call of this page waits for. */
export function useOwnQuestion(server: string, name: string): Question | undefined {
  return useQuery(inboxQuery).data?.items.find(
    (one) => one.server === server && one.target === name && one.principal === 'console',
  )
}

/** A call that waits for a person, with the question in place; who answers it elsewhere sees the result here too. */
export function AsksFirst({ question }: { readonly question: Question }) {
  return (
    <>
      <Notice tone="warn" live>
        {question.detail.kind === 'skill'
          ? 'Reading a skill asks first.'
          : 'This call asks first, with its exact arguments.'}
      </Notice>
      <QuestionDetail key={question.id} question={question} />
    </>
  )
}
