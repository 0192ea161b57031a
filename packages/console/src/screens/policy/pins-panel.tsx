import { useQuery } from '@tanstack/react-query'
import { Link } from '@tanstack/react-router'
import { catalogueQuery } from '../../host/queries.ts'
import { Badge } from '../../parts/badge.tsx'
import { Panel } from '../../parts/panel.tsx'
import { plural } from '../../text/plural.ts'
import { Said } from '../../text/said.tsx'
import styles from './policy.module.css'

/** What was accepted as it was then, and what is offered otherwise now. */
export function PinsPanel() {
  const entries = useQuery(catalogueQuery).data?.items ?? []
  const pinned = entries.filter(({ standing }) => standing === 'usable').length
  const others = entries.filter(({ standing }) => standing !== 'usable')
  return (
    <Panel title="Pins">
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
    </Panel>
  )
}
