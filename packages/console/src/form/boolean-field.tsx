import { useId } from 'react'
import type { FieldProps } from './field-props.ts'
import { Hint, Label } from './label.tsx'
import styles from './schema-form.module.css'

/** Yes or no; while it is not touched and has no default, it is left out. */
export function BooleanField({ schema, path, name, value, isRequired, form, onChange }: FieldProps) {
  const id = useId()
  const problem = form.problems.get(path)
  return (
    <div>
      <div className={styles.check}>
        <input
          id={id}
          type="checkbox"
          checked={value === true}
          aria-describedby={`${id}-note`}
          onChange={({ target }) => onChange(target.checked)}
        />
        <label htmlFor={id}>
          <Label schema={schema} name={name} isRequired={isRequired} />
          {value === undefined && <span className={styles.required}>not sent</span>}
        </label>
      </div>
      <div id={`${id}-note`} className={problem === undefined ? styles.hint : styles.problem}>
        {problem ?? <Hint schema={schema} />}
      </div>
    </div>
  )
}
