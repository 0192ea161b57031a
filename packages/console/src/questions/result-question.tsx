import type { Question } from '../host/queries.ts'
import { Button } from '../parts/button.tsx'
import { Result } from '../result/result.tsx'
import { prettyJson } from '../text/json.ts'
import { AnswerBar } from './answer-bar.tsx'
import { EditablePart } from './editable-part.tsx'
import { useAnswer } from './use-answer.ts'
import { useEditedJson } from './use-edited-json.ts'

/** May this result pass? As it is, or as a person changed it. */
export function ResultQuestion({ question: { id, detail } }: { readonly question: Question }) {
  const result = detail.result as Record<string, unknown>
  const held = prettyJson(result)
  const answer = useAnswer(id)
  const edit = useEditedJson(held)
  const { isEdited, value, problem } = edit
  return (
    <>
      <EditablePart title="Result" label="Result" edit={edit}>
        <Result result={result} />
      </EditablePart>
      <AnswerBar answer={answer}>
        <Button
          tone="primary"
          disabled={answer.isPending || problem !== undefined}
          onClick={() => answer.mutate({ choice: 'once', ...(value && { content: value }) })}
        >
          {isEdited ? 'Let it pass, as edited' : 'Let it pass'}
        </Button>
      </AnswerBar>
    </>
  )
}
