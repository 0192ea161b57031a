import { useState } from 'react'
import type { Question } from '../host/queries.ts'
import { Button } from '../parts/button.tsx'
import { Failure } from '../parts/failure.tsx'
import { JsonEditor } from '../parts/json-editor.tsx'
import { Notice } from '../parts/notice.tsx'
import { parseFields, prettyJson } from '../text/json.ts'
import { Said } from '../text/said.tsx'
import styles from './questions.module.css'
import { Refuse } from './refuse.tsx'
import { useAnswer } from './use-answer.ts'

/** What goes to a language model, or came from it: all of it, to look over and to edit. */
export function TextQuestion({ question: { id, detail } }: { readonly question: Question }) {
  const given = prettyJson(detail.request)
  const [draft, setDraft] = useState(given)
  const answer = useAnswer(id)
  const read = parseFields(draft)
  const isEdited = draft !== given
  return (
    <>
      <p className={styles.why}>
        It goes to <Said text={String(detail.model)} /> of <Said text={String(detail.provider)} />, with the system
        prompt and everything else that stands here.
      </p>
      <JsonEditor value={draft} label="What is sent" onChange={setDraft} />
      {'problem' in read && <Notice tone="bad">{read.problem}</Notice>}
      <div className={styles.bar}>
        <div className={styles.buttons}>
          <Button
            tone="primary"
            disabled={answer.isPending || 'problem' in read}
            onClick={() =>
              answer.mutate({ choice: 'once', ...(isEdited && 'value' in read && { content: read.value }) })
            }
          >
            {isEdited ? 'Allow, as edited' : 'Allow'}
          </Button>
          <Button
            disabled={answer.isPending || 'problem' in read}
            onClick={() =>
              answer.mutate({ choice: 'session', ...(isEdited && 'value' in read && { content: read.value }) })
            }
          >
            Allow for this session
          </Button>
        </div>
        <Refuse decide={answer.mutate} isBusy={answer.isPending} />
        <Failure error={answer.error} />
      </div>
    </>
  )
}
