import type { DiffLine } from '@trunkline/base/line-diff'
import type { Question } from '../host/queries.ts'
import { Button } from '../parts/button.tsx'
import { DiffLines } from '../parts/diff.tsx'
import { AnswerBar } from './answer-bar.tsx'
import styles from './questions.module.css'
import { useAnswer } from './use-answer.ts'

const words = {
  file: {
    why: 'What a project tightens counts at once; what it would permit counts only after this.',
    label: 'What the file would permit',
    yes: 'Let it count',
  },
  programs: {
    why: 'All of them go on as listed. If you refuse, each server asks before its next start, and each client when it connects next.',
    label: 'The files and clients that were found',
    yes: 'These are mine',
  },
} as const

/** A question with a list of changes: permissions in a project's file, or the servers and clients of an earlier version. */
export function FileQuestion({ question: { id, kind, detail } }: { readonly question: Question }) {
  const changes = Array.isArray(detail.changes) ? detail.changes.map(String) : []
  const answer = useAnswer(id)
  const { why, label, yes } = words[kind === 'programs' ? kind : 'file']
  return (
    <>
      <p className={styles.why}>{why}</p>
      <DiffLines lines={changes.map(diffLine)} label={label} />
      <AnswerBar answer={answer} refusal="Refuse">
        <Button tone="primary" disabled={answer.isPending} onClick={() => answer.mutate({ choice: 'once' })}>
          {yes}
        </Button>
      </AnswerBar>
    </>
  )
}

function diffLine(change: string): DiffLine {
  return { kind: change.startsWith('-') ? 'removed' : 'added', text: change.slice(2) }
}
