import type { ReactNode } from 'react'
import { useStore } from '../host/store.ts'
import { Badge } from '../parts/badge.tsx'
import { Button } from '../parts/button.tsx'
import { Panel } from '../parts/panel.tsx'
import { Said } from '../text/said.tsx'
import { Time } from '../text/time.tsx'
import styles from './offers.module.css'
import { type PastRun, pastRuns } from './run-history.ts'

export interface HistoryPanelProps {
  readonly of: string
  onChoose(run: PastRun): void
  onRunAgain(run: PastRun): void
  /** Buttons for all runs. */
  actions?(runs: readonly PastRun[]): ReactNode
}

/** Earlier runs of this page, to look at and to run again. */
export function HistoryPanel({ of, onChoose, onRunAgain, actions }: HistoryPanelProps) {
  const runs = useStore(pastRuns).filter((run) => run.of === of)
  if (runs.length === 0) return null
  return (
    <Panel title="History" actions={actions?.(runs)}>
      <ul className={styles.history} aria-label="Past runs">
        {runs.map((run) => (
          <li key={run.id} className={styles.past}>
            <Time at={run.at} />
            <code>
              <Said text={JSON.stringify(run.input)} oneLine />
            </code>
            <Badge tone={isFailed(run) ? 'bad' : 'good'}>{isFailed(run) ? 'failed' : 'OK'}</Badge>
            <span className="buttons">
              <Button size="s" onClick={() => onChoose(run)}>
                Open
              </Button>
              <Button size="s" onClick={() => onRunAgain(run)}>
                Run again
              </Button>
            </span>
          </li>
        ))}
      </ul>
    </Panel>
  )
}

function isFailed({ answer: { error, result } }: PastRun): boolean {
  return error !== undefined || result?.isError === true
}
