import { Button } from '../parts/button.tsx'
import type { FieldProps } from './field-props.ts'
import { initialValue } from './initial.ts'
import { Hint, Label } from './label.tsx'
import { ObjectField } from './object-field.tsx'
import styles from './schema-form.module.css'

/** An object inside a form; one that may be left out is shown when it is wanted. */
export function GroupField(props: FieldProps) {
  const { schema, path, name, value, isRequired, form, onChange } = props
  return (
    <fieldset className={styles.group}>
      <legend className={styles.legend}>
        <Label schema={schema} name={name} isRequired={isRequired} />
      </legend>
      <div className={styles.hint}>
        <Hint schema={schema} />
      </div>
      {value === undefined ? (
        <Button size="s" onClick={() => onChange(initialValue(schema, form.root) ?? {})}>
          Add {name}
        </Button>
      ) : (
        <>
          <ObjectField {...props} />
          {!isRequired && (
            <Button size="s" tone="quiet" onClick={() => onChange(undefined)}>
              Leave {name} out
            </Button>
          )}
        </>
      )}
      <div className={styles.problem}>{form.problems.get(path)}</div>
    </fieldset>
  )
}
