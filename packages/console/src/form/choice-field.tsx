import { Field } from '../parts/field.tsx'
import type { FieldProps } from './field-props.ts'
import { Hint, Label } from './label.tsx'
import { isSchema, type Option, optionsOf, titleOf } from './schema.ts'
import styles from './schema-form.module.css'

/** One of some values. */
export function ChoiceField({ schema, path, name, value, isRequired, form, onChange }: FieldProps) {
  const options = optionsOf(schema) ?? []
  return (
    <Field
      label={<Label schema={schema} name={name} isRequired={isRequired} />}
      hint={<Hint schema={schema} />}
      error={form.problems.get(path)}
    >
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
    </Field>
  )
}

/** Some of some values. */
export function ChoicesField({ schema, path, name, value, form, onChange }: FieldProps) {
  const options = optionsOf(isSchema(schema.items) ? schema.items : {}) ?? []
  const chosen: readonly unknown[] = Array.isArray(value) ? value : []
  const toggle = ({ value: one }: Option) =>
    onChange(
      chosen.includes(one)
        ? chosen.filter((other) => other !== one)
        : options.map((option) => option.value).filter((other) => other === one || chosen.includes(other)),
    )
  return (
    <fieldset className={styles.group}>
      <legend className={styles.legend}>{titleOf(schema, name)}</legend>
      <div className={styles.hint}>
        <Hint schema={schema} />
      </div>
      {options.map((option) => (
        <label key={String(option.value)} className={styles.check}>
          <input type="checkbox" checked={chosen.includes(option.value)} onChange={() => toggle(option)} />
          {option.title}
        </label>
      ))}
      <div className={styles.problem}>{form.problems.get(path)}</div>
    </fieldset>
  )
}
