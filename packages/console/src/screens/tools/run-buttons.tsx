import styles from '../../offers/offers.module.css'
import { Button } from '../../parts/button.tsx'

export interface RunButtonsProps {
  readonly isRunning: boolean
  readonly isStarting: boolean
  /** True if the form or its JSON has problems to fix first. */
  readonly isWrong: boolean
  onRun(): void
  onRunAsTask(): void
  onCancel(): void
}

/** Runs a tool: now, or as a task that goes on when the page is closed. */
export function RunButtons({ isRunning, isStarting, isWrong, onRun, onRunAsTask, onCancel }: RunButtonsProps) {
  return (
    <div className={`buttons ${styles.run}`}>
      <Button tone="primary" disabled={isRunning} onClick={onRun}>
        Run
      </Button>
      <Button disabled={isStarting} onClick={onRunAsTask}>
        Run as task
      </Button>
      {isRunning && <Button onClick={onCancel}>Cancel</Button>}
      {isWrong && <span className={styles.faint}>Fix what is marked first.</span>}
    </div>
  )
}
