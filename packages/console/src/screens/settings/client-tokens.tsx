import { useMutation, useQuery } from '@tanstack/react-query'
import { type FormEvent, useState } from 'react'
import { callHost } from '../../host/call.ts'
import { clientsQuery, queryClient } from '../../host/queries.ts'
import { Button } from '../../parts/button.tsx'
import { Code } from '../../parts/code.tsx'
import { DetailView } from '../../parts/detail-view.tsx'
import { Failure } from '../../parts/failure.tsx'
import { Field } from '../../parts/field.tsx'
import { Notice } from '../../parts/notice.tsx'
import { Panel } from '../../parts/panel.tsx'
import { ScrollArea } from '../../parts/scroll-area.tsx'
import { isWholeCode, TerminalCode } from '../../parts/terminal-code.tsx'
import { Said } from '../../text/said.tsx'
import { Time } from '../../text/time.tsx'
import styles from './settings.module.css'

/** Programs that have a token: created with a code from the terminal, shown once, and revoked with a click. */
export function ClientTokens() {
  const { data, error } = useQuery({ ...clientsQuery, staleTime: 0 })
  const revoke = useMutation({
    mutationFn: (name: string) => callHost('revoke', { name }),
    onSuccess: () => queryClient.invalidateQueries({ queryKey: clientsQuery.queryKey }),
  })
  const items = data?.items ?? []
  return (
    <>
      <DetailView title="Clients and tokens">
        <Failure error={error ?? revoke.error} />
        {data && items.length === 0 && <p className={styles.faint}>No program has a token.</p>}
        {items.length > 0 && (
          <ScrollArea className={styles.table} label="Clients">
            <table>
              <thead>
                <tr>
                  <th scope="col">Program</th>
                  <th scope="col">May answer questions</th>
                  <th scope="col">Last used</th>
                  <th scope="col">
                    <span className="visually-hidden">Revoke</span>
                  </th>
                </tr>
              </thead>
              <tbody>
                {items.map(({ name, isApprover, usedAt }) => (
                  <tr key={name}>
                    <td>
                      <Said text={name} oneLine />
                    </td>
                    <td>{isApprover ? 'yes' : 'no'}</td>
                    <td>{usedAt === undefined ? 'never' : <Time at={usedAt} />}</td>
                    <td className={styles.end}>
                      <Button size="s" disabled={revoke.isPending} onClick={() => revoke.mutate(name)}>
                        Revoke<span className="visually-hidden"> {name}</span>
                      </Button>
                    </td>
                  </tr>
                ))}
              </tbody>
            </table>
          </ScrollArea>
        )}
        {data && data.revoked.length > 0 && (
          <p className={styles.faint}>
            Revoked: <Said text={data.revoked.join(', ')} />
          </p>
        )}
      </DetailView>
      <NewToken />
    </>
  )
}

/** Creates a token for a program by its name. */
function NewToken() {
  const [name, setName] = useState('')
  const [code, setCode] = useState('')
  const made = useMutation({ mutationFn: () => callHost('makeClientCode', { name: name.trim() }) })
  const created = useMutation({
    mutationFn: () => callHost('createClient', { name: name.trim(), code: code.trim() }),
    onSuccess: () => queryClient.invalidateQueries({ queryKey: clientsQuery.queryKey }),
  })
  const submit = (event: FormEvent) => {
    event.preventDefault()
    if (made.isSuccess) created.mutate()
    else made.mutate()
  }
  const again = () => {
    setName('')
    setCode('')
    made.reset()
    created.reset()
  }
  return (
    <Panel title="Create a token">
      {created.data ? (
        <>
          <Notice tone="good" live>
            This token of <Said text={name.trim()} oneLine /> is shown once: copy it now.
          </Notice>
          <Code text={created.data.token} label="token" />
          <div>
            <Button onClick={again}>Done</Button>
          </div>
        </>
      ) : (
        <form className={styles.section} onSubmit={submit}>
          <Field label="Name of the program" hint="One of the same name loses its token">
            {(ids) => (
              <input
                {...ids}
                value={name}
                onChange={({ target }) => {
                  made.reset()
                  setName(target.value)
                }}
              />
            )}
          </Field>
          {made.isSuccess && <TerminalCode code={code} onType={setCode} />}
          <div>
            <Button
              tone="primary"
              type="submit"
              disabled={
                name.trim() === '' || made.isPending || created.isPending || (made.isSuccess && !isWholeCode(code))
              }
            >
              {made.isSuccess ? 'Create the token' : 'Create…'}
            </Button>
          </div>
          <Failure error={made.error ?? created.error} />
        </form>
      )}
    </Panel>
  )
}
