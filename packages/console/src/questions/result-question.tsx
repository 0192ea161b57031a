import type { Question } from '../host/queries.ts'
import { Button } from '../parts/button.tsx'
import { Failure } from '../parts/failure.tsx'
import { JsonEditor } from '../parts/json-editor.tsx'
import { Notice } from '../parts/notice.tsx'
import { Result } from '../result/result.tsx'
import { prettyJson } from '../text/json.ts'
import styles from './questions.module.css'
import { Refuse } from './refuse.tsx'
import { useAnswer } from './use-answer.ts'
import { useEditedJson } from './use-edited-json.ts'

/** May this result pass? As it is, or as a person changed it. */
export function ResultQuestion({ question: { id, detail } }: { readonly question: Question }) {
  const result = detail.result as Record<string, unknown>
  const held = prettyJson(result)
  const answer = useAnswer(id)
  const { draft, setDraft, toggle, isEdited, value, problem } = useEditedJson(held)
  const isWrong = problem !== undefined
  return (
    <>
      <div className={styles.part}>
        <div className={styles.partTitle}>
          Result
          <Button size="s" onClick={toggle}>
            {draft === undefined ? 'Edit' : 'Undo the edit'}
          </Button>
        </div>
        {draft === undefined ? (
          <Result result={result} />
        ) : (
          <JsonEditor value={draft} label="Result" onChange={setDraft} />
        )}
        {isWrong && <Notice tone="bad">{problem}</Notice>}
      </div>
      <div className={styles.bar}>
        <div className="buttons">
          <Button
            tone="primary"
            disabled={answer.isPending || isWrong}
            onClick={() => answer.mutate({ choice: 'once', ...(value && { content: value }) })}
          >
            {isEdited ? 'Let it pass, as edited' : 'Let it pass'}
          </Button>
        </div>
        <Refuse decide={answer.mutate} isBusy={answer.isPending} />
        <Failure error={answer.error} />
      </div>
    </>
  )
}
