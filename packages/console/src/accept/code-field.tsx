import { Button } from '../parts/button.tsx'
import { Field } from '../parts/field.tsx'
import styles from './accept-server.module.css'

export interface CodeFieldProps {
  readonly code: string
  readonly isPending: boolean
  /** Command that does the same in a terminal. */
  readonly instead: string
  onType(code: string): void
}

/** Field for the code that only the terminal shows, and the button that accepts with it. */
export function CodeField({ code, isPending, instead, onType }: CodeFieldProps) {
  return (
    <div className={styles.form}>
      <Field
        label="The code that the terminal shows"
        hint={`In the terminal of "trunkline up"; or run "${instead}" there instead. It holds for two minutes.`}
      >
        {(ids) => (
          <input
            {...ids}
            inputMode="numeric"
            autoComplete="off"
            maxLength={6}
            value={code}
            onChange={({ target }) => onType(target.value)}
          />
        )}
      </Field>
      <Button tone="primary" type="submit" disabled={isPending || code.trim().length !== 6}>
        {isPending ? 'Starting' : 'Accept and start'}
      </Button>
    </div>
  )
}
