import { type ReactNode, useId } from 'react'
import styles from './field.module.css'

export interface LabelledFieldProps {
  readonly label: ReactNode
  readonly hint?: ReactNode
  /** Problem of the value. */
  readonly error?: string | undefined
  /** Gets the ids that tie label and hints to the control. */
  children(ids: {
    readonly id: string
    readonly 'aria-describedby': string
    readonly 'aria-invalid': boolean
  }): ReactNode
}

/** A control with its label, a hint and what is wrong with it. */
export function Field({ label, hint, error, children }: LabelledFieldProps) {
  const id = useId()
  const note = `${id}-note`
  return (
    <div className={styles.field}>
      <label htmlFor={id} className={styles.label}>
        {label}
      </label>
      {children({ id, 'aria-describedby': note, 'aria-invalid': error !== undefined })}
      <div id={note} className={error === undefined ? styles.hint : styles.error}>
        {error ?? hint}
      </div>
    </div>
  )
}
