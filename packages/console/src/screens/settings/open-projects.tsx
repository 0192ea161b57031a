import { useQuery } from '@tanstack/react-query'
import { routeQuery } from '../../host/queries.ts'
import { Failure } from '../../parts/failure.tsx'
import { Panel } from '../../parts/panel.tsx'
import { ScrollArea } from '../../parts/scroll-area.tsx'
import { Said } from '../../text/said.tsx'
import { Time } from '../../text/time.tsx'
import styles from './settings.module.css'

/** Projects that clients work in, and the root that servers are told of in each. */
export function ProjectRoots() {
  const { data, error } = useQuery({ ...routeQuery('projects'), staleTime: 0 })
  return (
    <Panel title="Projects and roots">
      <p className={styles.faint}>
        A server that asks for its roots gets that of the project its caller works in. A project is open while a client
        works in it.
      </p>
      <Failure error={error} />
      {data?.items.length === 0 && <p className={styles.faint}>No client works in a project now.</p>}
      {data && data.items.length > 0 && (
        <ScrollArea className={styles.table} label="Projects">
          <table>
            <thead>
              <tr>
                <th scope="col">Root</th>
                <th scope="col">Its file</th>
                <th scope="col">Servers</th>
                <th scope="col">Last used</th>
              </tr>
            </thead>
            <tbody>
              {data.items.map(({ directory, root, file, servers, usedAt }) => (
                <tr key={directory}>
                  <td>
                    <Said text={root} />
                  </td>
                  <td>
                    <Said text={file} />
                  </td>
                  <td>
                    <Said text={servers.join(', ') || 'none'} />
                  </td>
                  <td>{usedAt > 0 ? <Time at={usedAt} /> : 'never'}</td>
                </tr>
              ))}
            </tbody>
          </table>
        </ScrollArea>
      )}
    </Panel>
  )
}
