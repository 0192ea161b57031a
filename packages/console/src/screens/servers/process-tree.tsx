import { useIsMutating, useQuery } from '@tanstack/react-query'
import type { RouteAnswer } from '@trunkline/host/page-api'
import { routeQuery } from '../../host/queries.ts'
import { Failure } from '../../parts/failure.tsx'
import { Panel } from '../../parts/panel.tsx'
import { formatBytes } from '../../text/number.ts'
import { Said } from '../../text/said.tsx'
import { changingServer } from './change-server.tsx'
import styles from './servers.module.css'

type ProcessInfo = RouteAnswer<'processes'>['items'][number]

/** Interval between looks at the processes. */
const everyMs = 2_000
/** Deeper than any server starts programs; what lies deeper is not drawn. */
const maxDepth = 20

/** The processes of a server as they run now: which started which, and what each takes. */
export function ProcessTree({ server, pid }: { readonly server: string; readonly pid: number }) {
  // a server that is being removed may be gone before this screen is
  const isChanging = useIsMutating({ mutationKey: changingServer }) > 0
  const { data, error } = useQuery({
    ...routeQuery('processes', { server }),
    staleTime: 0,
    refetchInterval: isChanging ? false : everyMs,
    refetchOnMount: 'always',
  })
  const items = data?.items ?? []
  const roots = items.filter(({ parent }) => !items.some((one) => one.pid === parent))
  const bytes = items.reduce((sum, one) => sum + one.bytes, 0)
  return (
    <Panel title="Processes">
      <Failure error={error} />
      {data?.why !== undefined && (
        <p className={styles.unused}>
          {data.why}. The server runs as process {pid}.
        </p>
      )}
      {roots.length > 0 && (
        <>
          <Branches processes={roots} all={items} depth={0} />
          <p className={styles.unused}>{formatBytes(bytes)} of memory altogether.</p>
        </>
      )}
    </Panel>
  )
}

interface BranchesProps {
  readonly processes: readonly ProcessInfo[]
  readonly all: readonly ProcessInfo[]
  readonly depth: number
}

function Branches({ processes, all, depth }: BranchesProps) {
  if (processes.length === 0 || depth > maxDepth) return null
  return (
    <ul className={styles.processes} aria-label={depth === 0 ? 'Processes' : undefined}>
      {processes.map(({ pid, command, bytes }) => (
        <li key={pid}>
          <div className={styles.process}>
            <span className={styles.at}>{pid}</span>
            <code>
              <Said text={command === '' ? '(ending)' : command} oneLine />
            </code>
            <span className={styles.number}>{formatBytes(bytes)}</span>
          </div>
          <Branches processes={all.filter(({ parent }) => parent === pid)} all={all} depth={depth + 1} />
        </li>
      ))}
    </ul>
  )
}
