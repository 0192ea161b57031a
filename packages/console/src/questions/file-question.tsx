import type { Question } from '../host/queries.ts'
import { Button } from '../parts/button.tsx'
import { DiffLines } from '../parts/diff.tsx'
import type { DiffLine } from '../text/line-diff.ts'
import { AnswerBar } from './answer-bar.tsx'
import styles from './questions.module.css'
import { useAnswer } from './use-answer.ts'

/** What a file of a project would permit, as a diff to what was accepted of it. */
export function FileQuestion({ question: { id, detail } }: { readonly question: Question }) {
  const changes = Array.isArray(detail.changes) ? detail.changes.map(String) : []
  const answer = useAnswer(id)
  return (
    <>
      <p className={styles.why}>What a project tightens counts at once; what it would permit counts only after this.</p>
      <DiffLines lines={changes.map(diffLine)} label="What the file would permit" />
      <AnswerBar answer={answer}>
        <Button tone="primary" disabled={answer.isPending} onClick={() => answer.mutate({ choice: 'once' })}>
          Let it count
        </Button>
      </AnswerBar>
    </>
  )
}

function diffLine(change: string): DiffLine {
  return { kind: change.startsWith('-') ? 'removed' : 'added', text: change.slice(2) }
}
