import { Said } from '../text/said.tsx'
import { type Schema, titleOf } from './schema.ts'
import styles from './schema-form.module.css'

/** Name of a field, with a mark if it is required. */
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

/** Description of a value from its schema. */
export function Hint({ schema: { description } }: { readonly schema: Schema }) {
  return typeof description === 'string' ? <Said text={description} /> : null
}
