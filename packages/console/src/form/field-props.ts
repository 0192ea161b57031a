import type { ComponentType } from 'react'
import type { Problems } from './check.ts'
import type { Schema } from './schema.ts'

/** Context shared by all fields of one form. */
export interface FormContext {
  /** The field for a value inside another one. */
  readonly Field: ComponentType<FieldProps>
  /** The whole schema, into which references point. */
  readonly root: Schema
  readonly problems: Problems
  complete?(path: string, text: string): Promise<readonly string[]>
}

/** Props of every field. */
export interface FieldProps {
  readonly schema: Schema
  /** The keys that lead to the value. */
  readonly path: string
  readonly name: string
  readonly value: unknown
  readonly isRequired: boolean
  readonly form: FormContext
  /** With undefined the value is left out. */
  onChange(value: unknown): void
}
