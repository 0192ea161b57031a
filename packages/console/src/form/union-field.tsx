import { useState } from 'react'
import { checkValue } from './check.ts'
import type { FieldProps } from './field-props.ts'
import { FormField } from './form-field.tsx'
import { initialValue } from './initial.ts'
import { resolve, type Schema, titleOf, typeOf, variantsOf } from './schema.ts'
import styles from './schema-form.module.css'

/** A value that may have one of several forms. */
export function UnionField(props: FieldProps) {
  const { schema, name, value, isRequired, form, onChange } = props
  const variants = variantsOf(schema).map((one) => resolve(one, form.root))
  const [picked, setPicked] = useState<number>()
  const current = value === undefined ? -1 : variantOf(value, variants, picked)
  const chosen = variants[current]
  return (
    <div className={styles.members}>
      <FormField of={props}>
        {(ids) => (
          <select
            {...ids}
            value={current}
            onChange={({ target }) => {
              const variant = variants[Number(target.value)]
              setPicked(Number(target.value))
              onChange(variant && (initialValue(variant, form.root) ?? empty(variant)))
            }}
          >
            <option value={-1}>{isRequired ? 'Choose' : 'Not set'}</option>
            {variants.map((variant, index) => (
              // biome-ignore lint/suspicious/noArrayIndexKey: variants have no other identity
              <option key={index} value={index}>
                {titleOf(variant, typeOf(variant) ?? `form ${index + 1}`)}
              </option>
            ))}
          </select>
        )}
      </FormField>
      {chosen && <form.Field {...props} schema={chosen} name={titleOf(chosen, name)} isRequired />}
    </div>
  )
}

/** The form that a value has; while it is filled in and has none yet, the one that a person picked. */
function variantOf(value: unknown, variants: readonly Schema[], picked: number | undefined): number {
  const fitting = variants.findIndex((one) => fits(value, one))
  const chosen = picked === undefined ? undefined : variants[picked]
  if (picked !== undefined && chosen && (fitting < 0 || fits(value, chosen))) return picked
  return Math.max(0, fitting)
}

function empty(variant: Schema): unknown {
  const type = typeOf(variant)
  return type === 'number' || type === 'integer' ? 0 : type === 'object' ? {} : ''
}

function fits(value: unknown, schema: Schema): boolean {
  const type = typeOf(schema)
  const actual = Array.isArray(value) ? 'array' : value === null ? 'null' : typeof value
  if (type !== undefined && type !== actual && !(type === 'integer' && Number.isInteger(value))) return false
  return actual !== 'object' || checkValue(value, schema).size === 0
}
