import { Field } from '../parts/field.tsx'
import type { FieldProps } from './field-props.ts'
import { Hint, Label } from './label.tsx'

/** A file, sent as base64. */
export function FileField({ schema, path, name, value, isRequired, form, onChange }: FieldProps) {
  const size = typeof value === 'string' ? Math.floor((value.length * 3) / 4) : undefined
  return (
    <Field
      label={<Label schema={schema} name={name} isRequired={isRequired} />}
      hint={size === undefined ? <Hint schema={schema} /> : `${size.toLocaleString('en')} bytes`}
      error={form.problems.get(path)}
    >
      {(ids) => (
        <input
          {...ids}
          type="file"
          onChange={({ target }) => {
            const [file] = target.files ?? []
            if (file) void base64Of(file).then(onChange)
            else onChange(undefined)
          }}
        />
      )}
    </Field>
  )
}

async function base64Of(file: File): Promise<string> {
  const bytes = new Uint8Array(await file.arrayBuffer())
  let binary = ''
  for (const byte of bytes) binary += String.fromCharCode(byte)
  return btoa(binary)
}
