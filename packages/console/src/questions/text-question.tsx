import type { Question } from '../host/queries.ts'
import { Button } from '../parts/button.tsx'
import { changesOf, prettyJson } from '../text/json.ts'
import { Said } from '../text/said.tsx'
import { AnswerBar } from './answer-bar.tsx'
import { EditablePart } from './editable-part.tsx'
import { PromptView } from './prompt-view.tsx'
import styles from './questions.module.css'
import { type Decision, useAnswer } from './use-answer.ts'
import { schemaProblems, useEditedJson } from './use-edited-json.ts'

/** The members of a request whose types the protocol fixes. */
const promptSchema = {
  type: 'object',
  properties: {
    messages: { type: 'array', items: { type: 'object', required: ['role', 'content'] } },
    systemPrompt: { type: 'string' },
    maxTokens: { type: 'integer', minimum: 1 },
    temperature: { type: 'number' },
  },
}

/** Request to a language model: all of it, to review and to edit. */
export function TextQuestion({ question: { id, detail } }: { readonly question: Question }) {
  const request = (detail.request ?? {}) as Record<string, unknown>
  const given = prettyJson(request)
  const answer = useAnswer(id)
  const edit = useEditedJson(given, (edited) => schemaProblems(edited, promptSchema))
  const { isEdited, value, problems } = edit
  const isWrong = problems.length > 0
  const decide = (decision: Decision) =>
    answer.mutate({ ...decision, ...(value && { content: changesOf(request, value) }) })
  return (
    <>
      <EditablePart
        title={
          <span className={styles.why}>
            It goes to <Said text={String(detail.model)} /> of <Said text={String(detail.provider)} />: everything that
            stands here, and nothing else.
          </span>
        }
        label="What is sent"
        edit={edit}
      >
        <PromptView request={request} />
      </EditablePart>
      <AnswerBar answer={answer}>
        <Button tone="primary" disabled={answer.isPending || isWrong} onClick={() => decide({ choice: 'once' })}>
          {isEdited ? 'Allow, as edited' : 'Allow'}
        </Button>
        <Button disabled={answer.isPending || isWrong} onClick={() => decide({ choice: 'session' })}>
          Allow for this session
        </Button>
      </AnswerBar>
    </>
  )
}
