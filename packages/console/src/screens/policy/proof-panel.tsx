import { useMutation, useQuery, useQueryClient } from '@tanstack/react-query'
import { useState } from 'react'
import { callHost } from '../../host/call.ts'
import { makePasskey } from '../../host/passkey.ts'
import { type ProofStatus, proofQuery } from '../../host/queries.ts'
import { Button } from '../../parts/button.tsx'
import { Failure } from '../../parts/failure.tsx'
import { Field } from '../../parts/field.tsx'
import { Notice } from '../../parts/notice.tsx'
import { Panel } from '../../parts/panel.tsx'
import { Said } from '../../text/said.tsx'
import { Time } from '../../text/time.tsx'
import styles from './policy.module.css'

const scopes = [
  ['destroys', 'Calls that destroy'],
  ['policy', 'Changes of the policy: rules, acceptances, trust, classes, clients'],
  ['everything', 'Everything that only you may decide'],
] as const

/** Proofs that the person decides, and the decisions that need one. */
export function ProofPanel() {
  const { data, error } = useQuery(proofQuery)
  return (
    <Panel title="Proof that it is you">
      <Failure error={error} />
      {data?.state === 'damaged' && (
        <Notice tone="bad">
          The proof is damaged: <Said text={data.why ?? ''} />. Nothing that needs it is decided. Restore it, or run{' '}
          <code>trunkline proof reset --forgotten</code>.
        </Notice>
      )}
      {data?.resetAt !== undefined && (
        <Notice tone="warn">
          A reset was asked for without the proof and takes effect <Time at={data.resetAt} />. If that was not you, run{' '}
          <code>trunkline proof keep</code>.
        </Notice>
      )}
      {data && data.state !== 'damaged' && <Enrolled status={data} />}
    </Panel>
  )
}

function Enrolled({ status }: { readonly status: ProofStatus }) {
  const change = useProofChange()
  const { hasPin, passkeys, state, scopes: chosen } = status
  return (
    <>
      <p className={styles.faint}>
        {state === 'none'
          ? 'A program that runs as you could decide as you. A passkey or a PIN is something that it cannot give.'
          : 'What is checked here needs the proof; to refuse never does.'}
      </p>
      {hasPin && <p>A PIN is set. It is typed in a terminal.</p>}
      {passkeys.map(({ id, name, addedAt }) => (
        <p key={id} className={styles.item}>
          <span>
            Passkey <Said text={name} oneLine />, added <Time at={addedAt} />
          </span>
          <Button
            size="s"
            disabled={change.isPending}
            aria-label={`Remove passkey ${name}`}
            onClick={() => change.mutate(() => callHost('removePasskey', { passkey: id }))}
          >
            Remove
          </Button>
        </p>
      ))}
      {state === 'enrolled' && (
        <fieldset className={styles.scopes} disabled={change.isPending}>
          <legend className="visually-hidden">What needs the proof</legend>
          {scopes.map(([scope, words]) => (
            <label key={scope}>
              <input
                type="checkbox"
                checked={chosen.includes(scope)}
                onChange={({ target }) => {
                  const next = target.checked ? [...chosen, scope] : chosen.filter((one) => one !== scope)
                  change.mutate(() => callHost('chooseProof', { scopes: next }))
                }}
              />
              {words}
            </label>
          ))}
        </fieldset>
      )}
      <AddPasskey status={status} change={change} />
      <Failure error={change.error} />
    </>
  )
}

function AddPasskey({
  status: { page },
  change,
}: {
  readonly status: ProofStatus
  readonly change: ReturnType<typeof useProofChange>
}) {
  const [name, setName] = useState('')
  if (page === undefined)
    return <Notice>Another program has “localhost” at this port, so no passkey can be added.</Notice>
  if (page !== location.origin) {
    return (
      <Notice>
        Browsers take passkeys at <code>{page}</code> alone: run <code>trunkline open</code>.
      </Notice>
    )
  }
  const add = async () => {
    const made = await makePasskey(await callHost('registerPasskey'))
    await callHost('addPasskey', { ...made, name: name.trim() || 'passkey' })
    setName('')
  }
  return (
    <div className={styles.adding}>
      <Field label="Name of a new passkey">
        {(ids) => <input {...ids} value={name} maxLength={100} onChange={({ target }) => setName(target.value)} />}
      </Field>
      <Button disabled={change.isPending} onClick={() => change.mutate(add)}>
        Add a passkey
      </Button>
    </div>
  )
}

function useProofChange() {
  const client = useQueryClient()
  return useMutation({
    mutationFn: (work: () => Promise<unknown>) => work(),
    onSettled: () => client.invalidateQueries({ queryKey: proofQuery.queryKey }),
  })
}
