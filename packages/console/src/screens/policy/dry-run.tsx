import type { RouteAnswer } from '@trunkline/host/page-api'
import { plural } from '../../text/plural.ts'
import { Said } from '../../text/said.tsx'
import { EffectBadge } from './effect-badge.tsx'
import styles from './policy.module.css'

const maxShown = 8

/** Recorded calls that a rule would have decided differently. */
export function DryRun({ trial: { calls, untold, changes } }: { readonly trial: RouteAnswer<'dryRunPolicy'> }) {
  return (
    <div className={styles.list} role="status">
      <p className={styles.faint}>
        Of {plural(calls, 'recorded call')}, {changes.length === 0 ? 'none' : changes.length} would have ended
        otherwise.
        {untold > 0 && ` Of ${untold} nobody kept the arguments.`}
      </p>
      <ul className={styles.list}>
        {changes.slice(0, maxShown).map((change) => (
          <li key={JSON.stringify(change)}>
            <code>
              <Said text={`${change.server}:${change.target}`} />
            </code>{' '}
            <EffectBadge effect={change.from} /> → <EffectBadge effect={change.to} />{' '}
            <span className={styles.faint}>{plural(change.count, 'call')}</span>
          </li>
        ))}
      </ul>
    </div>
  )
}
