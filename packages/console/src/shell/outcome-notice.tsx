import { useStore } from '../host/store.ts'
import { Button } from '../parts/button.tsx'
import { Notice } from '../parts/notice.tsx'
import { Said } from '../text/said.tsx'
import { lastOutcome, tell } from './outcome.ts'
import styles from './outcome-notice.module.css'

/** Outcome of a palette command, at the edge of whatever screen is open. */
export function OutcomeNotice() {
  const outcome = useStore(lastOutcome)
  return (
    <div role="status" className={styles.place}>
      {outcome && (
        <Notice tone={outcome.tone}>
          <div className={styles.words}>
            <Said text={outcome.text} />
            {outcome.tone === 'bad' && (
              <Button size="s" onClick={() => tell(undefined)}>
                Dismiss
              </Button>
            )}
          </div>
        </Notice>
      )}
    </div>
  )
}
