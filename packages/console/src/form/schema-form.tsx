import { useMemo } from 'react'
import { checkValue } from './check.ts'
import { ObjectField } from './object-field.tsx'
import type { Schema } from './schema.ts'
import styles from './schema-form.module.css'
import { ValueField } from './value-field.tsx'

export interface SchemaFormProps {
  readonly schema: Schema
  readonly value: unknown
  /** True to show problems at the fields. @default true */
  readonly showsProblems?: boolean
  onChange(value: unknown): void
  /** Completes the text at a path; without it, no values are proposed. */
  complete?(path: string, text: string): Promise<readonly string[]>
}

/** A form for a value that follows a JSON Schema. */
export function SchemaForm({ schema, value, showsProblems = true, onChange, complete }: SchemaFormProps) {
  const problems = useMemo(
    () => (showsProblems ? checkValue(value, schema) : new Map()),
    [value, schema, showsProblems],
  )
  return (
    <div className={styles.form}>
      <ObjectField
        schema={schema}
        path=""
        name=""
        value={value}
        isRequired
        onChange={onChange}
        form={{ Field: ValueField, root: schema, problems, ...(complete && { complete }) }}
      />
    </div>
  )
}
