import type { RouteAnswer } from '@trunkline/host/page-api'
import { Badge } from '../../parts/badge.tsx'
import { Diff } from '../../parts/diff.tsx'
import { Notice } from '../../parts/notice.tsx'
import { textOfValue } from '../../text/json.ts'
import { Said } from '../../text/said.tsx'
import styles from './policy.module.css'

/** One definition that is not as it was accepted, with what differs. */
export function PinChange({
  change: { server, kind, name, change, findings, differences },
}: {
  readonly change: RouteAnswer<'diff'>['items'][number]
}) {
  return (
    <section className={styles.list}>
      <h3>
        <Said text={`${server} ${name}`} oneLine /> <Badge tone={change === 'new' ? 'accent' : 'warn'}>{change}</Badge>{' '}
        <Badge>{kind}</Badge>
      </h3>
      {findings.map((finding) => (
        <Notice key={finding} tone="bad">
          <Said text={finding} />
        </Notice>
      ))}
      {differences.map(({ at, before, after, meaning }) => (
        <div key={at}>
          <span className={styles.faint}>
            <Said text={meaning} />{' '}
            <code>
              <Said text={at} oneLine />
            </code>
          </span>
          <Diff before={textOfValue(before)} after={textOfValue(after)} label={`Change at ${at} of ${name}`} />
        </div>
      ))}
    </section>
  )
}
