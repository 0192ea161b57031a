import { useState } from 'react'
import { Field } from '../parts/field.tsx'
import type { FieldProps } from './field-props.ts'
import { Hint, Label } from './label.tsx'

/** A number; what is not one yet stays as it was typed. */
export function NumberField({ schema, path, name, value, isRequired, form, onChange }: FieldProps) {
  const [typed, setTyped] = useState('')
  const shown = typeof value === 'number' && Number(typed) !== value ? String(value) : typed || text(value)
  return (
    <Field
      label={<Label schema={schema} name={name} isRequired={isRequired} />}
      hint={<Hint schema={schema} />}
      error={form.problems.get(path)}
    >
      {(ids) => (
        <input
          {...ids}
          inputMode="decimal"
          value={shown}
          onChange={({ target }) => {
            setTyped(target.value)
            const number = Number(target.value)
            if (target.value.trim() === '') onChange(undefined)
            else onChange(Number.isNaN(number) ? target.value : number)
          }}
        />
      )}
    </Field>
  )
}

function text(value: unknown): string {
  return value === undefined || value === null ? '' : String(value)
}
