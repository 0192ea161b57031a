import { useState } from 'react'
import type { FieldProps } from './field-props.ts'
import { FormField } from './form-field.tsx'

/** A value of a form that no control is made for, written as JSON. */
export function JsonField(props: FieldProps) {
  const { value, onChange } = props
  const [draft, setDraft] = useState<string>()
  const [problem, setProblem] = useState<string>()
  const change = (text: string) => {
    setDraft(text)
    if (text.trim() === '') {
      setProblem(undefined)
      return onChange(undefined)
    }
    try {
      onChange(JSON.parse(text))
      setProblem(undefined)
    } catch {
      setProblem('This is not JSON yet')
    }
  }
  return (
    <FormField of={props} problem={problem}>
      {(ids) => (
        <textarea
          {...ids}
          className="code"
          rows={3}
          placeholder="JSON"
          value={draft ?? (value === undefined ? '' : JSON.stringify(value, undefined, 2))}
          onChange={({ target }) => change(target.value)}
          onBlur={() => problem === undefined && setDraft(undefined)}
        />
      )}
    </FormField>
  )
}
