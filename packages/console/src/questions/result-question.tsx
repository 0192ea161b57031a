import { useQuery } from '@tanstack/react-query'
import { catalogueQuery, type Question } from '../host/queries.ts'
import { Button } from '../parts/button.tsx'
import { Result } from '../result/result.tsx'
import { prettyJson } from '../text/json.ts'
import { AnswerBar } from './answer-bar.tsx'
import { EditablePart } from './editable-part.tsx'
import { useAnswer } from './use-answer.ts'
import { schemaProblems, useEditedJson } from './use-edited-json.ts'

/** May this result pass? As it is, or as a person changed it. */
export function ResultQuestion({ question: { id, server, target, detail } }: { readonly question: Question }) {
  const result = detail.result as Record<string, unknown>
  const held = prettyJson(result)
  const answer = useAnswer(id)
  const tools = useQuery(catalogueQuery).data?.items
  const tool = tools?.find((one) => one.kind === 'tool' && one.server === server && one.original === target)
  const edit = useEditedJson(held, ({ structuredContent }) =>
    schemaProblems(structuredContent, tool?.definition.outputSchema, 'structuredContent'),
  )
  const { isEdited, value, problems } = edit
  return (
    <>
      <EditablePart title="Result" label="Result" edit={edit}>
        <Result result={result} />
      </EditablePart>
      <AnswerBar answer={answer}>
        <Button
          tone="primary"
          disabled={answer.isPending || problems.length > 0}
          onClick={() => answer.mutate({ choice: 'once', ...(value && { content: value }) })}
        >
          {isEdited ? 'Let it pass, as edited' : 'Let it pass'}
        </Button>
      </AnswerBar>
    </>
  )
}
