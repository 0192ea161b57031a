import { useState } from 'react'
import { Field } from '../parts/field.tsx'
import { base64Size } from '../text/base64.ts'
import type { FieldProps } from './field-props.ts'
import { Hint, Label } from './label.tsx'

/** What the host takes at once is 4 MiB, and base64 makes a file a third longer. */
const maxBytes = 2_900_000

/** A file, sent as base64. */
export function FileField({ schema, path, name, value, isRequired, form, onChange }: FieldProps) {
  const [problem, setProblem] = useState<string>()
  const size = typeof value === 'string' ? base64Size(value) : undefined
  const read = async (file: File | undefined) => {
    const isLarge = file !== undefined && file.size > maxBytes
    setProblem(isLarge ? `Choose a file of at most ${maxBytes.toLocaleString('en')} bytes` : undefined)
    onChange(file && !isLarge ? await base64Of(file) : undefined)
  }
  return (
    <Field
      label={<Label schema={schema} name={name} isRequired={isRequired} />}
      hint={size === undefined ? <Hint schema={schema} /> : `${size.toLocaleString('en')} bytes`}
      error={problem ?? form.problems.get(path)}
    >
      {(ids) => (
        <input
          {...ids}
          type="file"
          {...(typeof schema.contentMediaType === 'string' && { accept: schema.contentMediaType })}
          onChange={({ target }) => void read(target.files?.[0])}
        />
      )}
    </Field>
  )
}

function base64Of(file: File): Promise<string> {
  return new Promise((resolve, reject) => {
    const reader = new FileReader()
    reader.onload = () => resolve(String(reader.result).replace(/^[^,]*,/, ''))
    reader.onerror = () => reject(reader.error)
    reader.readAsDataURL(file)
  })
}
