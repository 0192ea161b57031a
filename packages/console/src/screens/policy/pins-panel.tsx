import { useMutation, useQuery } from '@tanstack/react-query'
import { Link } from '@tanstack/react-router'
import { callHost } from '../../host/call.ts'
import { catalogueQuery } from '../../host/queries.ts'
import { Badge } from '../../parts/badge.tsx'
import { Button } from '../../parts/button.tsx'
import { Failure } from '../../parts/failure.tsx'
import { Notice } from '../../parts/notice.tsx'
import { Panel } from '../../parts/panel.tsx'
import { plural } from '../../text/plural.ts'
import { Said } from '../../text/said.tsx'
import { PinChange } from './pin-change.tsx'
import styles from './policy.module.css'

/** Accepted definitions, and those offered differently now. */
export function PinsPanel() {
  const entries = useQuery(catalogueQuery).data?.items ?? []
  const compare = useMutation({ mutationFn: () => callHost('diff') })
  const pinned = entries.filter(({ standing }) => standing === 'usable').length
  const others = entries.filter(({ standing }) => standing !== 'usable')
  return (
    <Panel
      title="Pins"
      actions={
        <Button size="s" disabled={compare.isPending} onClick={() => compare.mutate()}>
          Compare with what servers offer now
        </Button>
      }
    >
      <p className={styles.faint}>
        {plural(pinned, 'definition is', 'definitions are')} as you accepted them.{' '}
        {others.length === 0 ? 'None differs.' : `${plural(others.length, 'one is', 'ones are')} not; see the `}
        {others.length > 0 && <Link to="/inbox">inbox</Link>}
      </p>
      <ul className={styles.list}>
        {others.slice(0, 100).map(({ name, server, original, standing, why, hash }) => (
          <li key={name}>
            <Badge tone="warn">{standing}</Badge> <Said text={`${server} ${original}`} oneLine />{' '}
            <code className={styles.faint}>{hash.slice(0, 12)}</code>
            {why !== undefined && (
              <div className={styles.faint}>
                <Said text={why} />
              </div>
            )}
          </li>
        ))}
      </ul>
      <Failure error={compare.error} />
      {compare.data?.items.length === 0 && (
        <Notice tone="good" live>
          Every server that could be asked offers exactly what you accepted.
        </Notice>
      )}
      {compare.data?.items.map((change) => (
        <PinChange key={`${change.server} ${change.kind} ${change.name}`} change={change} />
      ))}
      {compare.data?.cannotTell.map(({ server, why }) => (
        <Notice key={server} tone="warn">
          <Said text={`${server}: ${why}`} />
        </Notice>
      ))}
    </Panel>
  )
}
