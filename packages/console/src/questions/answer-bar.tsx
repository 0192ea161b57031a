import type { ReactNode } from 'react'
import { Button } from '../parts/button.tsx'
import { Failure } from '../parts/failure.tsx'
import styles from './questions.module.css'
import { Refuse } from './refuse.tsx'
import type { useAnswer } from './use-answer.ts'

export interface AnswerBarProps {
  readonly answer: ReturnType<typeof useAnswer>
  /** Label of the refusing button; without it, a sentence for the caller can be written. */
  readonly refusal?: string
  /** True if to allow is the dangerous answer, so that to refuse is not. @default false */
  readonly isRefusalSafe?: boolean
  /** Content to look at or fill in first. */
  readonly above?: ReactNode
  /** The buttons of the other answers. */
  readonly children?: ReactNode
}

/** The answers to a question, and what went wrong with one. */
export function AnswerBar({ answer, refusal, isRefusalSafe = false, above, children }: AnswerBarProps) {
  return (
    <div className={styles.bar}>
      {above}
      <div className="buttons">
        {children}
        {refusal !== undefined && (
          <Button tone="danger" disabled={answer.isPending} onClick={() => answer.mutate({ choice: 'refuse' })}>
            {refusal}
          </Button>
        )}
      </div>
      {refusal === undefined && (
        <Refuse decide={answer.mutate} isBusy={answer.isPending} tone={isRefusalSafe ? 'plain' : 'danger'} />
      )}
      <Failure error={answer.error} />
    </div>
  )
}
