import { useState } from 'react'
import { Button } from '../parts/button.tsx'
import { Field } from '../parts/field.tsx'
import styles from './questions.module.css'
import type { Decision } from './use-answer.ts'

export interface RefuseProps {
  readonly isBusy: boolean
  /** @default 'danger' */
  readonly tone?: 'plain' | 'danger'
  decide(decision: Decision): void
}

/** Refuses, with a sentence for the caller where one helps it. */
export function Refuse({ decide, isBusy, tone = 'danger' }: RefuseProps) {
  const [sentence, setSentence] = useState('')
  return (
    <div className={styles.sentence}>
      <Field label="A sentence for the caller, if you refuse" hint="Such as: use the staging database instead">
        {(ids) => (
          <input {...ids} maxLength={2000} value={sentence} onChange={({ target }) => setSentence(target.value)} />
        )}
      </Field>
      <Button
        tone={tone}
        disabled={isBusy}
        onClick={() => decide({ choice: 'refuse', ...(sentence.trim() !== '' && { sentence: sentence.trim() }) })}
      >
        Refuse
      </Button>
    </div>
  )
}
