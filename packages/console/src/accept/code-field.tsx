import { Button } from '../parts/button.tsx'
import { isWholeCode, TerminalCode } from '../parts/terminal-code.tsx'
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
      <TerminalCode code={code} instead={instead} onType={onType} />
      <Button tone="primary" type="submit" disabled={isPending || !isWholeCode(code)}>
        {isPending ? 'Starting' : 'Accept and start'}
      </Button>
    </div>
  )
}
