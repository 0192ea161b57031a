import type { RouteAnswer } from '@trunkline/host/page-api'
import { useShortPaths } from '../../host/home.ts'
import { Said } from '../../text/said.tsx'
import { EffectBadge } from './effect-badge.tsx'
import styles from './policy.module.css'

/** Explanation of a policy decision: the verdict, the rules considered, and the smallest change. */
export function Explanation({ explanation }: { readonly explanation: RouteAnswer<'explainPolicy'> }) {
  const { effect, why, rule, considered, change } = explanation
  const short = useShortPaths()
  return (
    <div className={styles.list} role="status">
      <p>
        <EffectBadge effect={effect} /> <Said text={short(why)} />
        {rule && !why.includes(`${rule.file}:${rule.line}`) && (
          <>
            {' '}
            (
            <code>
              <Said text={short(`${rule.file}:${rule.line}`)} />
            </code>
            )
          </>
        )}
      </p>
      {considered.length > 0 && (
        <ul className={styles.list} aria-label="Rules that were looked at">
          {considered.map((one) => (
            <li key={`${one.file} ${one.line} ${one.text}`}>
              <EffectBadge effect={one.effect} />{' '}
              <code>
                <Said text={one.text} />
              </code>{' '}
              <span className={styles.faint}>{one.unmet === undefined ? 'matches' : <Said text={one.unmet} />}</span>
            </li>
          ))}
        </ul>
      )}
      <p className={styles.faint}>
        To change it: <Said text={short(change)} />
      </p>
    </div>
  )
}
