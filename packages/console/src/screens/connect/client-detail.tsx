import { keepPreviousData, useMutation, useQuery } from '@tanstack/react-query'
import { useState } from 'react'
import { callHost } from '../../host/call.ts'
import { useShortPaths } from '../../host/home.ts'
import { queryClient, routeQuery } from '../../host/queries.ts'
import { Button } from '../../parts/button.tsx'
import { DetailView } from '../../parts/detail-view.tsx'
import { Diff } from '../../parts/diff.tsx'
import { Failure } from '../../parts/failure.tsx'
import { Notice } from '../../parts/notice.tsx'
import { Said } from '../../text/said.tsx'
import styles from './connect.module.css'
import { type Asks, WhoAsks } from './who-asks.tsx'

/** One client: who asks, what changes in files for that, and the button that writes exactly that. */
export function ClientDetail({
  client: { id, title },
}: {
  readonly client: { readonly id: string; readonly title: string }
}) {
  const short = useShortPaths()
  const [asks, setAsks] = useState<Asks>()
  const query = routeQuery('planConnect', asks ? { client: id, asks } : { client: id })
  const plan = useQuery({ ...query, staleTime: 0, placeholderData: keepPreviousData })
  const write = useMutation({
    mutationFn: (shown: { readonly digest: string; readonly asks: Asks }) =>
      callHost('connect', { client: id, ...shown }),
    onSuccess: () =>
      Promise.all(['knownClients', 'planConnect'].map((name) => queryClient.invalidateQueries({ queryKey: [name] }))),
  })
  const choose = (chosen: Asks): void => {
    write.reset()
    setAsks(chosen)
  }
  const files = plan.data ? [plan.data, ...plan.data.also].filter(({ before, after }) => before !== after) : []
  const isWritten = plan.data !== undefined && files.length === 0
  return (
    <DetailView title={title}>
      <Failure error={plan.error ?? write.error} />
      {plan.data && (
        <>
          <WhoAsks title={title} asks={asks ?? plan.data.asks} asksItself={plan.data.asksItself} onChoose={choose} />
          {plan.data.takenOut.length > 0 && (
            <p className={styles.faint}>
              {plan.data.takenOut.join(', ')} keep their names there; the host runs them from then on.
            </p>
          )}
          {plan.data.outside.length > 0 && (
            <ul className={styles.faint} aria-label={`Servers of ${title} that do not go through the host`}>
              {plan.data.outside.map(({ name, why }) => (
                <li key={`${name} ${why}`}>
                  <Said text={`${name} does not go through Trunkline, because ${why}`} />
                </li>
              ))}
            </ul>
          )}
          {isWritten && !write.isSuccess && <Notice tone="good">It is connected: its file holds this already.</Notice>}
          {files.map(({ file, before, after }) => (
            <div key={file} className={styles.file}>
              <p>
                <code>
                  <Said text={short(file)} />
                </code>
              </p>
              <Diff
                before={before}
                after={after}
                label={file === plan.data.file ? `Change to the file of ${title}` : `Change to ${file}`}
              />
            </div>
          ))}
          {write.isSuccess && (
            <Notice tone="good" live>
              Written. Restart {title}, or have it read its configuration again. Undo:{' '}
              <code>trunkline uninstall {id}</code>
            </Notice>
          )}
          {!isWritten && !write.isSuccess && (
            <div>
              <Button
                tone="primary"
                disabled={write.isPending || plan.isPlaceholderData}
                onClick={() => write.mutate({ digest: plan.data.digest, asks: plan.data.asks })}
              >
                Write this change
              </Button>
            </div>
          )}
        </>
      )}
    </DetailView>
  )
}
