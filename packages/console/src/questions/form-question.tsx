import { useRef, useState } from 'react'
import { checkValue } from '../form/check.ts'
import { focusProblem } from '../form/focus-problem.ts'
import { initialValue } from '../form/initial.ts'
import { isSchema } from '../form/schema.ts'
import { SchemaForm } from '../form/schema-form.tsx'
import type { Question } from '../host/queries.ts'
import { Button } from '../parts/button.tsx'
import { Notice } from '../parts/notice.tsx'
import { AnswerBar } from './answer-bar.tsx'
import { useAnswer } from './use-answer.ts'

/** A form that a server wants filled in; it is checked before anything leaves. */
export function FormQuestion({ question: { id, server, detail } }: { readonly question: Question }) {
  const schema = isSchema(detail.requestedSchema) ? detail.requestedSchema : {}
  const [value, setValue] = useState<unknown>(() => initialValue(schema, schema) ?? {})
  const [wasTried, setTried] = useState(false)
  const form = useRef<HTMLDivElement>(null)
  const answer = useAnswer(id)
  const send = () => {
    setTried(true)
    if (checkValue(value, schema).size > 0) return focusProblem(form.current)
    answer.mutate({ choice: 'once', content: value as Record<string, unknown> })
  }
  return (
    <>
      <Notice tone="warn">What you fill in is sent to {server}. Do not write passwords or keys here.</Notice>
      <div ref={form}>
        <SchemaForm schema={schema} value={value} onChange={setValue} showsProblems={wasTried} />
      </div>
      <AnswerBar answer={answer} refusal="Refuse">
        <Button tone="primary" disabled={answer.isPending} onClick={send}>
          Send to {server}
        </Button>
      </AnswerBar>
    </>
  )
}
