import type { RouteAnswer } from '@trunkline/host/page-api'
import { Notice } from '../../parts/notice.tsx'
import { plural } from '../../text/plural.ts'
import { Said } from '../../text/said.tsx'
import { EffectBadge } from './effect-badge.tsx'
import styles from './policy.module.css'
import { trialInWords } from './trial-words.ts'

const maxShown = 8

/** Recorded calls that a rule would have decided differently, and rules that decide nothing. */
export function DryRun({ trial }: { readonly trial: RouteAnswer<'dryRunPolicy'> }) {
  const { changes, unmatched } = trial
  const more = changes.slice(maxShown).reduce((sum, { count }) => sum + count, 0)
  return (
    <div className={styles.list} role="status">
      {unmatched.map(({ rule, why }) => (
        <Notice key={rule} tone="warn">
          <code>
            <Said text={rule} />
          </code>{' '}
          matches nothing. <Said text={why} />.
        </Notice>
      ))}
      <p className={styles.faint}>{trialInWords(trial)}</p>
      <ul className={styles.list}>
        {changes.slice(0, maxShown).map((change) => (
          <li key={JSON.stringify(change)}>
            <code>
              <Said text={`${change.server}:${change.target}`} />
            </code>{' '}
            <EffectBadge effect={change.from} /> → <EffectBadge effect={change.to} />{' '}
            <span className={styles.faint}>
              {plural(change.count, 'call')} of <Said text={change.principal} oneLine />
            </span>
          </li>
        ))}
        {more > 0 && <li className={styles.faint}>and {plural(more, 'call')} more</li>}
      </ul>
    </div>
  )
}
