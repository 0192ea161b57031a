import { useMutation, useQuery } from '@tanstack/react-query'
import { callHost } from '../../host/call.ts'
import { queryClient, routeQuery } from '../../host/queries.ts'
import { Button } from '../../parts/button.tsx'
import { Diff } from '../../parts/diff.tsx'
import { Failure } from '../../parts/failure.tsx'
import { Notice } from '../../parts/notice.tsx'
import { Panel } from '../../parts/panel.tsx'
import { Said } from '../../text/said.tsx'
import styles from './connect.module.css'

/** One client: what changes in its file, and the button that writes exactly that. */
export function ClientDetail({
  client: { id, title },
}: {
  readonly client: { readonly id: string; readonly title: string }
}) {
  const plan = useQuery({ ...routeQuery('planConnect', { client: id }), staleTime: 0 })
  const write = useMutation({
    mutationFn: (digest: string) => callHost('connect', { client: id, digest }),
    onSuccess: () => queryClient.invalidateQueries({ queryKey: ['knownClients'] }),
  })
  const isWritten = plan.data !== undefined && plan.data.before === plan.data.after
  return (
    <Panel title={title}>
      <Failure error={plan.error ?? write.error} />
      {plan.data && (
        <>
          <p>
            <code>
              <Said text={plan.data.file} />
            </code>
          </p>
          {plan.data.takenOut.length > 0 && (
            <p className={styles.faint}>
              {plan.data.takenOut.join(', ')} keep their names there; the host runs them from then on.
            </p>
          )}
          {isWritten ? (
            <Notice tone="good">It is connected: its file holds this already.</Notice>
          ) : (
            <Diff before={plan.data.before} after={plan.data.after} label={`Change to the file of ${title}`} />
          )}
          {write.isSuccess && (
            <Notice tone="good" live>
              Written. Restart {title}, or have it read its configuration again. Undo:{' '}
              <code>trunkline uninstall {id}</code>
            </Notice>
          )}
          {!isWritten && !write.isSuccess && (
            <div>
              <Button tone="primary" disabled={write.isPending} onClick={() => write.mutate(plan.data.digest)}>
                Write this change
              </Button>
            </div>
          )}
        </>
      )}
    </Panel>
  )
}
