import type { Question } from '../host/queries.ts'
import { Button } from '../parts/button.tsx'
import { Failure } from '../parts/failure.tsx'
import styles from './questions.module.css'
import { Refuse } from './refuse.tsx'
import { useAnswer } from './use-answer.ts'

/** What a file of a project would permit, as a diff to what was accepted of it. */
export function FileQuestion({ question: { id, detail } }: { readonly question: Question }) {
  const changes = Array.isArray(detail.changes) ? detail.changes.map(String) : []
  const answer = useAnswer(id)
  return (
    <>
      <pre>{changes.join('\n')}</pre>
      <div className={styles.bar}>
        <div className={styles.buttons}>
          <Button tone="primary" disabled={answer.isPending} onClick={() => answer.mutate({ choice: 'once' })}>
            Let it count
          </Button>
        </div>
        <Refuse decide={answer.mutate} isBusy={answer.isPending} />
        <Failure error={answer.error} />
      </div>
    </>
  )
}
