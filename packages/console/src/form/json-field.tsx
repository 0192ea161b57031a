import { useState } from 'react'
import { Field } from '../parts/field.tsx'
import type { FieldProps } from './field-props.ts'
import { Hint, Label } from './label.tsx'

/** A value of a form that no control is made for, written as JSON. */
export function JsonField({ schema, path, name, value, isRequired, form, onChange }: FieldProps) {
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
    <Field
      label={<Label schema={schema} name={name} isRequired={isRequired} />}
      hint={<Hint schema={schema} />}
      error={problem ?? form.problems.get(path)}
    >
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
    </Field>
  )
}
