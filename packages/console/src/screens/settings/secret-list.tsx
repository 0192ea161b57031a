import { useMutation, useQuery } from '@tanstack/react-query'
import { useState } from 'react'
import { callHost } from '../../host/call.ts'
import { queryClient, routeQuery } from '../../host/queries.ts'
import { Badge } from '../../parts/badge.tsx'
import { Button } from '../../parts/button.tsx'
import { DetailView } from '../../parts/detail-view.tsx'
import { Failure } from '../../parts/failure.tsx'
import { Field } from '../../parts/field.tsx'
import { ScrollArea } from '../../parts/scroll-area.tsx'
import { SetSecret } from '../../parts/set-secret.tsx'
import { Said } from '../../text/said.tsx'
import styles from './settings.module.css'

/** Secrets by name, with where each is used; no page is told a value. */
export function SecretList() {
  const { data, error } = useQuery({ ...routeQuery('secrets'), staleTime: 0 })
  const [chosen, setChosen] = useState<string>()
  const [name, setName] = useState('')
  const remove = useMutation({
    mutationFn: (secret: string) => callHost('removeSecret', { name: secret }),
    onSuccess: () => queryClient.invalidateQueries({ queryKey: ['secrets'] }),
  })
  const items = data?.items ?? []
  const isKept = items.some((one) => one.name === chosen && one.isKept)
  return (
    <DetailView title="Secrets">
      <p className={styles.faint}>
        The configuration names them as <code>secret:NAME</code>. Their values are not shown here or anywhere else.
      </p>
      <Failure error={error ?? remove.error} />
      {data && items.length === 0 && <p className={styles.faint}>None is stored.</p>}
      {items.length > 0 && (
        <ScrollArea className={styles.table} label="Secrets">
          <table>
            <thead>
              <tr>
                <th scope="col">Name</th>
                <th scope="col">State</th>
                <th scope="col">Used by</th>
                <th scope="col">
                  <span className="visually-hidden">Change</span>
                </th>
              </tr>
            </thead>
            <tbody>
              {items.map((one) => (
                <tr key={one.name}>
                  <td>
                    <Said text={one.name} oneLine />
                  </td>
                  <td>{one.isKept ? 'stored' : <Badge tone="warn">missing</Badge>}</td>
                  <td>
                    <Said text={one.uses.join(', ') || 'nothing'} />
                  </td>
                  <td className={styles.end}>
                    <Button size="s" onClick={() => setChosen(one.name)}>
                      {one.isKept ? 'Replace' : 'Set'}
                      <span className="visually-hidden"> {one.name}</span>
                    </Button>{' '}
                    {one.isKept && (
                      <Button size="s" tone="quiet" disabled={remove.isPending} onClick={() => remove.mutate(one.name)}>
                        Remove
                        <span className="visually-hidden"> {one.name}</span>
                      </Button>
                    )}
                  </td>
                </tr>
              ))}
            </tbody>
          </table>
        </ScrollArea>
      )}
      {chosen === undefined ? (
        <div className={styles.add}>
          <Field label="Name of another secret" hint="Such as github.token">
            {(ids) => <input {...ids} value={name} onChange={({ target }) => setName(target.value)} />}
          </Field>
          <Button disabled={name.trim() === ''} onClick={() => setChosen(name.trim())}>
            Set its value…
          </Button>
        </div>
      ) : (
        <SetSecret key={chosen} name={chosen} isKept={isKept} onDone={() => setChosen(undefined)} />
      )}
    </DetailView>
  )
}
