import { useState } from 'react'
import { base64Size } from '../text/base64.ts'
import { formatBytes } from '../text/number.ts'
import type { FieldProps } from './field-props.ts'
import { FormField } from './form-field.tsx'

/** Limit of a file: the host takes 4 MiB at once, and base64 makes a file a third longer. */
const maxBytes = 2_900_000

/** A file, sent as base64. */
export function FileField(props: FieldProps) {
  const { schema, value, onChange } = props
  const [problem, setProblem] = useState<string>()
  const size = typeof value === 'string' ? base64Size(value) : undefined
  const read = async (file: File | undefined) => {
    const isLarge = file !== undefined && file.size > maxBytes
    setProblem(isLarge ? `Choose a file of at most ${formatBytes(maxBytes)}` : undefined)
    onChange(file && !isLarge ? await base64Of(file) : undefined)
  }
  return (
    <FormField of={props} hint={size === undefined ? undefined : formatBytes(size)} problem={problem}>
      {(ids) => (
        <input
          {...ids}
          type="file"
          {...(typeof schema.contentMediaType === 'string' && { accept: schema.contentMediaType })}
          onChange={({ target }) => void read(target.files?.[0])}
        />
      )}
    </FormField>
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
