import type { FieldProps } from './field-props.ts'
import { FormField } from './form-field.tsx'
import { FormGroup } from './form-group.tsx'
import { isSchema, type Option, optionsOf } from './schema.ts'
import styles from './schema-form.module.css'

/** One of some values. */
export function ChoiceField(props: FieldProps) {
  const { schema, value, isRequired, onChange } = props
  const options = optionsOf(schema) ?? []
  return (
    <FormField of={props}>
      {(ids) => (
        <select
          {...ids}
          value={options.findIndex((option) => option.value === value)}
          onChange={({ target }) => onChange(options[Number(target.value)]?.value)}
        >
          <option value={-1}>{isRequired ? 'Choose' : 'Not set'}</option>
          {options.map(({ title }, index) => (
            // biome-ignore lint/suspicious/noArrayIndexKey: values may be anything, and stay in their order
            <option key={index} value={index}>
              {title}
            </option>
          ))}
        </select>
      )}
    </FormField>
  )
}

/** Some of some values. */
export function ChoicesField(props: FieldProps) {
  const { schema, value, onChange } = props
  const options = optionsOf(isSchema(schema.items) ? schema.items : {}) ?? []
  const chosen: readonly unknown[] = Array.isArray(value) ? value : []
  const toggle = ({ value: one }: Option) =>
    onChange(
      chosen.includes(one)
        ? chosen.filter((other) => other !== one)
        : options.map((option) => option.value).filter((other) => other === one || chosen.includes(other)),
    )
  return (
    <FormGroup of={props}>
      {options.map((option) => (
        <label key={String(option.value)} className={styles.check}>
          <input type="checkbox" checked={chosen.includes(option.value)} onChange={() => toggle(option)} />
          {option.title}
        </label>
      ))}
    </FormGroup>
  )
}
