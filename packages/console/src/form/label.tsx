import { Said } from '../text/said.tsx'
import { type Schema, titleOf } from './schema.ts'
import styles from './schema-form.module.css'

/** What a field is called, and whether it may stay empty. */
export function Label({
  schema,
  name,
  isRequired,
}: {
  readonly schema: Schema
  readonly name: string
  readonly isRequired: boolean
}) {
  return (
    <>
      <Said text={titleOf(schema, name)} oneLine />
      {isRequired && ' '}
      {isRequired && <span className={styles.required}>required</span>}
    </>
  )
}

/** What a schema says of a value. */
export function Hint({ schema: { description } }: { readonly schema: Schema }) {
  return typeof description === 'string' ? <Said text={description} /> : null
}
