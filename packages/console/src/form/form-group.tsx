import type { ReactNode } from 'react'
import type { FieldProps } from './field-props.ts'
import { Hint, Label } from './label.tsx'
import styles from './schema-form.module.css'

/** Several controls for one value, with its name, its words and its problems. */
export function FormGroup({ of, children }: { readonly of: FieldProps; readonly children: ReactNode }) {
  const { schema, name, path, isRequired, form } = of
  return (
    <fieldset className={styles.group}>
      <legend className={styles.legend}>
        <Label schema={schema} name={name} isRequired={isRequired} />
      </legend>
      <div className={styles.hint}>
        <Hint schema={schema} />
      </div>
      {children}
      <div className={styles.problem}>{form.problems.get(path)}</div>
    </fieldset>
  )
}
