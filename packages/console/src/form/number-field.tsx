import { useState } from 'react'
import type { FieldProps } from './field-props.ts'
import { FormField } from './form-field.tsx'

/** A number; what is not one yet stays as it was typed. */
export function NumberField(props: FieldProps) {
  const { value, onChange } = props
  const [typed, setTyped] = useState('')
  const shown = typeof value === 'number' && Number(typed) !== value ? String(value) : typed || text(value)
  return (
    <FormField of={props}>
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
    </FormField>
  )
}

function text(value: unknown): string {
  return value === undefined || value === null ? '' : String(value)
}
