import { Button } from '../parts/button.tsx'
import { join } from './check.ts'
import type { FieldProps } from './field-props.ts'
import { FormGroup } from './form-group.tsx'
import { initialValue } from './initial.ts'
import { resolve } from './schema.ts'
import styles from './schema-form.module.css'

/** A list, with a field for each item. */
export function ArrayField(props: FieldProps) {
  const { schema, path, name, value, form, onChange } = props
  const items: readonly unknown[] = Array.isArray(value) ? value : []
  const itemSchema = resolve(schema.items, form.root)
  return (
    <FormGroup of={props}>
      {items.map((item, index) => (
        // biome-ignore lint/suspicious/noArrayIndexKey: items have no other identity
        <div key={index} className={styles.row}>
          <form.Field
            schema={itemSchema}
            path={join(path, String(index))}
            name={`${name} ${index + 1}`}
            value={item}
            isRequired
            form={form}
            onChange={(next) => onChange(items.with(index, next ?? null))}
          />
          <Button
            size="s"
            tone="quiet"
            aria-label={`Remove ${name} ${index + 1}`}
            onClick={() => onChange(items.toSpliced(index, 1))}
          >
            Remove
          </Button>
        </div>
      ))}
      <Button size="s" onClick={() => onChange([...items, initialValue(itemSchema, form.root) ?? ''])}>
        Add to {name}
      </Button>
    </FormGroup>
  )
}
