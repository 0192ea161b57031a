import { useMutation, useQuery } from '@tanstack/react-query'
import { callHost } from '../../host/call.ts'
import { queryClient, routeQuery } from '../../host/queries.ts'
import { Button } from '../../parts/button.tsx'
import { Failure } from '../../parts/failure.tsx'
import { Panel } from '../../parts/panel.tsx'
import { Said } from '../../text/said.tsx'
import { Time } from '../../text/time.tsx'
import styles from './policy.module.css'

const grants = routeQuery('grants')

/** The calls that earlier answers allow without a question. */
export function GrantsPanel() {
  const { data, error } = useQuery({ ...grants, staleTime: 0 })
  const revoke = useMutation({
    mutationFn: (id: string) => callHost('revokeGrant', { id }),
    onSettled: () => queryClient.invalidateQueries({ queryKey: grants.queryKey }),
  })
  return (
    <Panel title="Allowed for a while">
      <Failure error={error ?? revoke.error} />
      {data?.items.length === 0 && (
        <p className={styles.faint}>Nothing. Answers for a session or a project stand here.</p>
      )}
      <ul className={styles.list}>
        {data?.items.map(({ id, says, choice, until }) => (
          <li key={id} className={styles.item}>
            <span>
              <Said text={says} />{' '}
              <span className={styles.faint}>
                {choice === 'project' ? (
                  'until you revoke it, or 30 days unused'
                ) : (
                  <>
                    until <Time at={until} />
                  </>
                )}
              </span>
            </span>
            <Button size="s" disabled={revoke.isPending} onClick={() => revoke.mutate(id)}>
              Revoke
            </Button>
          </li>
        ))}
      </ul>
    </Panel>
  )
}
