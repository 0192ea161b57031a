import { runProgress } from '../host/progress.ts'
import { useStore } from '../host/store.ts'
import { Said } from '../text/said.tsx'
import styles from './offers.module.css'

/** Progress of a run, as its server reports it. */
export function RunProgress({ run, message }: { readonly run: string; readonly message?: string | undefined }) {
  const progress = useStore(runProgress).get(run)
  const said = progress?.message ?? message
  return (
    <div role="status" className="buttons">
      <progress
        className={styles.bar}
        aria-label="Progress"
        {...(progress?.total !== undefined && { value: progress.progress, max: progress.total })}
      />
      <span>
        {said === undefined ? 'Running' : <Said text={said} oneLine />}
        {progress && ` ${progress.progress}${progress.total === undefined ? '' : ` of ${progress.total}`}`}
      </span>
    </div>
  )
}
