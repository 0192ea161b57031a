import { type ReactNode, useEffect, useState } from 'react'
import type { Schema } from '../form/schema.ts'
import { SchemaForm } from '../form/schema-form.tsx'
import { JsonEditor } from '../parts/json-editor.tsx'
import { Notice } from '../parts/notice.tsx'
import { parseFields, prettyJson } from '../text/json.ts'
import styles from './offers.module.css'

export interface InputEditorProps {
  readonly schema: Schema
  readonly value: Record<string, unknown>
  readonly showsProblems: boolean
  onChange(value: Record<string, unknown>): void
  /** Called when the JSON stops or starts to be an object; the form holds the last one that was. */
  onBroken(isBroken: boolean): void
  /** Outcome of the input; stands beside the form where there is room. */
  readonly children?: ReactNode
}

/** A form and the JSON it makes, side by side and always in step. */
export function InputEditor({ schema, value, showsProblems, onChange, onBroken, children }: InputEditorProps) {
  const [text, setText] = useState(() => prettyJson(value))
  const [problem, setProblem] = useState<string>()
  const tell = (now: string | undefined) => {
    setProblem(now)
    onBroken(now !== undefined)
  }
  // biome-ignore lint/correctness/useExhaustiveDependencies: only another value counts
  useEffect(() => {
    // the JSON that a person types stays as typed
    setText((now) => (isSame(now, value) ? now : prettyJson(value)))
    tell(undefined)
  }, [value])
  return (
    <div className={styles.inputs}>
      <SchemaForm
        schema={schema}
        value={value}
        showsProblems={showsProblems}
        onChange={(next) => onChange(next as Record<string, unknown>)}
      />
      <div className={styles.beside}>
        <JsonEditor
          label="Arguments as JSON"
          value={text}
          onChange={(typed) => {
            setText(typed)
            const read = parseFields(typed)
            tell('problem' in read ? read.problem : undefined)
            if ('value' in read) onChange(read.value)
          }}
        />
        {problem !== undefined && <Notice tone="warn">{problem}</Notice>}
        {children}
      </div>
    </div>
  )
}

function isSame(text: string, value: unknown): boolean {
  const read = parseFields(text)
  return 'value' in read && JSON.stringify(read.value) === JSON.stringify(value)
}
