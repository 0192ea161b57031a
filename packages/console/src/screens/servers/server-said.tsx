import { useQuery } from '@tanstack/react-query'
import { routeQuery, type ServerSummary } from '../../host/queries.ts'
import { Badge } from '../../parts/badge.tsx'
import { DescriptionList } from '../../parts/description-list.tsx'
import { Panel } from '../../parts/panel.tsx'
import { ScrollArea } from '../../parts/scroll-area.tsx'
import { Said } from '../../text/said.tsx'
import styles from './servers.module.css'

/** Server's own description while it runs. */
export function ServerSaid({ name, state }: { readonly name: string; readonly state: ServerSummary['state'] }) {
  const isReady = state === 'ready'
  const { data } = useQuery({ ...routeQuery('server', { server: name }), enabled: isReady, staleTime: 0 })
  const detail = isReady ? data : undefined
  return (
    <Panel title="What it says of itself">
      {!detail && <p className={styles.unused}>It says so when it runs; it starts with the first call.</p>}
      {detail && (
        <DescriptionList>
          <dt>Name</dt>
          <dd>
            <Said text={`${detail.name ?? 'none'} ${detail.version ?? ''}`} oneLine />
          </dd>
          <dt>Revision</dt>
          <dd>{detail.revision}</dd>
          <dt>Capabilities</dt>
          <dd className={styles.chips}>
            {Object.keys(detail.capabilities ?? {}).map((one) => (
              <Badge key={one}>
                <Said text={one} oneLine />
              </Badge>
            ))}
          </dd>
          {detail.instructions !== undefined && (
            <>
              <dt>Instructions</dt>
              <dd>
                <ScrollArea className={styles.instructions} label="Instructions">
                  <Said text={detail.instructions} />
                </ScrollArea>
              </dd>
            </>
          )}
        </DescriptionList>
      )}
    </Panel>
  )
}
