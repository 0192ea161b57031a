import { type KeyboardEvent, useState } from 'react'
import { isSchema, type Schema } from '../../form/schema.ts'
import { SchemaForm } from '../../form/schema-form.tsx'
import { Button } from '../../parts/button.tsx'
import { Field } from '../../parts/field.tsx'
import { Said } from '../../text/said.tsx'
import styles from './settings.module.css'

export interface NamedSettingsProps {
  /** Schema of each. */
  readonly schema: Schema
  readonly value: Schema
  /** Words for the name of a further one. @default 'Name of another' */
  readonly nameLabel?: string | undefined
  onChange(value: unknown): void
}

/** Tables of settings under names that the person chooses, such as models and profiles. */
export function NamedSettings({ schema, value, nameLabel = 'Name of another', onChange }: NamedSettingsProps) {
  const [name, setName] = useState('')
  const isNew = name.trim() !== '' && !Object.hasOwn(value, name.trim())
  const add = () => {
    if (!isNew) return
    onChange({ ...value, [name.trim()]: {} })
    setName('')
  }
  const onKeyDown = (event: KeyboardEvent) => {
    if (event.key !== 'Enter') return
    event.preventDefault()
    add()
  }
  const remove = (key: string) => {
    const { [key]: _, ...others } = value
    onChange(others)
  }
  return (
    <>
      {Object.entries(value).map(([key, own]) => (
        <details key={key} className={styles.named}>
          <summary>
            <Said text={key} oneLine />
          </summary>
          <SchemaForm
            schema={schema}
            value={isSchema(own) ? own : {}}
            onChange={(next) => onChange({ ...value, [key]: next })}
          />
          <div>
            <Button size="s" tone="quiet" onClick={() => remove(key)}>
              Remove {key}
            </Button>
          </div>
        </details>
      ))}
      <div className={styles.add}>
        <Field label={nameLabel}>
          {(ids) => (
            <input {...ids} value={name} onKeyDown={onKeyDown} onChange={({ target }) => setName(target.value)} />
          )}
        </Field>
        <Button disabled={!isNew} onClick={add}>
          Add
        </Button>
      </div>
    </>
  )
}
