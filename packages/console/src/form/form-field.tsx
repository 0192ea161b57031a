import type { ReactNode } from 'react'
import { Field, type LabelledFieldProps } from '../parts/field.tsx'
import type { FieldProps } from './field-props.ts'
import { Hint, Label } from './label.tsx'

export interface FormFieldProps {
  /** The value that is asked for. */
  readonly of: FieldProps
  /** Instead of what its schema says of it. */
  readonly hint?: ReactNode
  /** Instead of what is wrong by its schema. */
  readonly problem?: string | undefined
  readonly children: LabelledFieldProps['children']
}

/** One control of a form, with the name, the words and the problems of its value. */
export function FormField({ of: { schema, name, path, isRequired, form }, hint, problem, children }: FormFieldProps) {
  return (
    <Field
      label={<Label schema={schema} name={name} isRequired={isRequired} />}
      hint={hint ?? <Hint schema={schema} />}
      error={problem ?? form.problems.get(path)}
    >
      {children}
    </Field>
  )
}
