import type { Question } from '../host/queries.ts'
import { Button } from '../parts/button.tsx'
import { Code } from '../parts/code.tsx'
import { Said } from '../text/said.tsx'
import { AnswerBar } from './answer-bar.tsx'
import styles from './questions.module.css'
import { useAnswer } from './use-answer.ts'

/** A program that calls under the name of a client: what it is, and what came under that name before. */
export function ProgramQuestion({ question: { id, detail } }: { readonly question: Question }) {
  const answer = useAnswer(id)
  const before = Array.isArray(detail.before) ? detail.before.map(String) : []
  return (
    <>
      <div className={styles.part}>
        <span className={styles.partTitle}>The program that started it</span>
        <Code text={String(detail.program)} label="program" />
        {typeof detail.folder === 'string' && (
          <p className={styles.why}>
            It works in <Said text={detail.folder} oneLine />
          </p>
        )}
        {before.length > 0 && (
          <p className={styles.why}>
            Until now this name was used by <Said text={before.join(', ')} />
          </p>
        )}
        {detail.isApprover === true && <p className={styles.why}>Answers given in this client count as yours.</p>}
      </div>
      <AnswerBar answer={answer} refusal="Refuse">
        <Button tone="primary" disabled={answer.isPending} onClick={() => answer.mutate({ choice: 'once' })}>
          Accept it
        </Button>
      </AnswerBar>
    </>
  )
}
