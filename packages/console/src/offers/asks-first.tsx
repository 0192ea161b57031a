import { useQuery } from '@tanstack/react-query'
import { Link } from '@tanstack/react-router'
import { inboxQuery, type Question } from '../host/queries.ts'
import { Notice } from '../parts/notice.tsx'

/** The question that a call of this page waits for. */
export function useOwnQuestion(server: string, name: string): Question | undefined {
  return useQuery(inboxQuery).data?.items.find(
    (one) => one.server === server && one.target === name && one.principal === 'console',
  )
}

/** Says that a call waits for a person, and leads to the question. */
export function AsksFirst({ question }: { readonly question: Question }) {
  return (
    <Notice tone="warn" live>
      This call asks first, with its exact arguments.{' '}
      <Link to="/inbox/$id" params={{ id: question.id }} target="_blank">
        Look at it
      </Link>{' '}
      or answer it in the inbox; the result comes here.
    </Notice>
  )
}
