import { useQuery } from '@tanstack/react-query'
import { routeQuery } from '../../host/queries.ts'
import { Failure } from '../../parts/failure.tsx'
import { Panel } from '../../parts/panel.tsx'
import { ScrollArea } from '../../parts/scroll-area.tsx'
import { Said } from '../../text/said.tsx'
import { Time } from '../../text/time.tsx'
import styles from './settings.module.css'

/** Projects that clients work in, and the roots that servers get in each. */
export function ProjectRoots() {
  const { data, error } = useQuery({ ...routeQuery('projects'), staleTime: 0 })
  return (
    <Panel title="Open projects">
      <p className={styles.faint}>
        A project is the folder that a client works in; it is open while one does. A server that asks for its roots gets
        those that you set for the project, else those of the client, else the folder of the project.
      </p>
      <Failure error={error} />
      {data?.items.length === 0 && <p className={styles.faint}>No client works in a project now.</p>}
      {data && data.items.length > 0 && (
        <ScrollArea className={styles.table} label="Projects">
          <table>
            <thead>
              <tr>
                <th scope="col">Project</th>
                <th scope="col">Roots</th>
                <th scope="col">Servers</th>
                <th scope="col">Last used</th>
              </tr>
            </thead>
            <tbody>
              {data.items.map(({ directory, roots, isSet, servers, usedAt }) => (
                <tr key={directory}>
                  <td>
                    <Said text={directory} />
                  </td>
                  <td>{isSet ? <Said text={roots.join('\n') || 'none'} /> : 'of the client, else this folder'}</td>
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
