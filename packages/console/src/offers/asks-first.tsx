import { useQuery } from '@tanstack/react-query'
import { inboxQuery, type Question } from '../host/queries.ts'
import { Notice } from '../parts/notice.tsx'
import { QuestionDetail } from '../questions/question-detail.tsx'
import { type CallOfPage, ownQuestion } from './own-question.ts'

/** The question that a call of this page waits for. */
export function useOwnQuestion(call: CallOfPage): Question | undefined {
  return ownQuestion(useQuery(inboxQuery).data?.items ?? [], call)
}

/** A call that waits for a person, with the question in place; who answers it elsewhere sees the result here too. */
export function AsksFirst({ question }: { readonly question: Question }) {
  return (
    <>
      <Notice tone="warn" live>
        {wordsOf(question)}
      </Notice>
      <QuestionDetail key={question.id} question={question} />
    </>
  )
}

function wordsOf({ kind, detail, server }: Question): string {
  if (detail.kind === 'skill') return 'Reading a skill asks first.'
  if (kind === 'call') return 'This call asks first, with its exact arguments.'
  return `This call waits for you: ${server} asks something.`
}
