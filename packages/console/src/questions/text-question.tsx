import type { Question } from '../host/queries.ts'
import { Button } from '../parts/button.tsx'
import { Failure } from '../parts/failure.tsx'
import { JsonEditor } from '../parts/json-editor.tsx'
import { Notice } from '../parts/notice.tsx'
import { changesOf, prettyJson } from '../text/json.ts'
import { Said } from '../text/said.tsx'
import { PromptView } from './prompt-view.tsx'
import styles from './questions.module.css'
import { Refuse } from './refuse.tsx'
import { type Decision, useAnswer } from './use-answer.ts'
import { useEditedJson } from './use-edited-json.ts'

/** What goes to a language model: all of it, to look over and to edit. */
export function TextQuestion({ question: { id, detail } }: { readonly question: Question }) {
  const request = (detail.request ?? {}) as Record<string, unknown>
  const given = prettyJson(request)
  const answer = useAnswer(id)
  const { draft, setDraft, toggle, isEdited, value, problem } = useEditedJson(given)
  const isWrong = problem !== undefined
  const decide = (decision: Decision) =>
    answer.mutate({ ...decision, ...(value && { content: changesOf(request, value) }) })
  return (
    <>
      <div className={styles.partTitle}>
        <span className={styles.why}>
          It goes to <Said text={String(detail.model)} /> of <Said text={String(detail.provider)} />: everything that
          stands here, and nothing else.
        </span>
        <Button size="s" onClick={toggle}>
          {draft === undefined ? 'Edit' : 'Undo the edit'}
        </Button>
      </div>
      {draft === undefined ? (
        <PromptView request={request} />
      ) : (
        <JsonEditor value={draft} label="What is sent" onChange={setDraft} />
      )}
      {isWrong && <Notice tone="bad">{problem}</Notice>}
      <div className={styles.bar}>
        <div className="buttons">
          <Button tone="primary" disabled={answer.isPending || isWrong} onClick={() => decide({ choice: 'once' })}>
            {isEdited ? 'Allow, as edited' : 'Allow'}
          </Button>
          <Button disabled={answer.isPending || isWrong} onClick={() => decide({ choice: 'session' })}>
            Allow for this session
          </Button>
        </div>
        <Refuse decide={answer.mutate} isBusy={answer.isPending} />
        <Failure error={answer.error} />
      </div>
    </>
  )
}
