import { useQuery } from '@tanstack/react-query'
import { useEffect } from 'react'
import { inboxQuery } from '../../host/queries.ts'
import { showQuestion } from '../../questions/shown-questions.ts'

/** Notes that the questions about starting these servers are on the screen, so that no notice covers it. */
export function useStartQuestions(servers: readonly string[]): void {
  const questions = useQuery(inboxQuery).data?.items ?? []
  const ids = questions.filter(({ kind, server }) => kind === 'start' && servers.includes(server)).map(({ id }) => id)
  const shown = ids.join(' ')
  useEffect(() => {
    const hide = shown.split(' ').map(showQuestion)
    return () => {
      for (const one of hide) one()
    }
  }, [shown])
}
