import { keepPreviousData, useMutation, useQuery } from '@tanstack/react-query'
import { useNavigate } from '@tanstack/react-router'
import type { RouteInput } from '@trunkline/host/page-api'
import { type ReactNode, useState } from 'react'
import { callHost, HostRefusal } from '../../host/call.ts'
import { queryClient, routeQuery, serversQuery } from '../../host/queries.ts'
import { Button } from '../../parts/button.tsx'
import { Failure } from '../../parts/failure.tsx'
import { Field } from '../../parts/field.tsx'
import { Notice } from '../../parts/notice.tsx'
import { Panel } from '../../parts/panel.tsx'
import { ShownChange } from '../../parts/shown-change.tsx'
import { EditServer } from './edit-server.tsx'
import styles from './servers.module.css'
import { SetSecrets } from './set-secrets.tsx'

type Change = RouteInput<'changeServer'>['change']

/** Key of the changes that are being written. */
export const changingServer = ['changeServer'] as const

/** A change that a person chose to look at. */
export type Chosen = 'edit' | 'secret' | 'rename' | 'disable' | 'enable' | 'remove'

const titles: { readonly [Name in Chosen]: string } = {
  edit: 'Edit…',
  secret: 'Set secret…',
  rename: 'Rename…',
  disable: 'Disable…',
  enable: 'Enable…',
  remove: 'Remove…',
}

export interface ChangeButtonsProps {
  readonly name: string
  readonly isDisabled?: boolean
  readonly chosen: Chosen | undefined
  onChoose(chosen: Chosen | undefined): void
}

/** Entry of a server in the person's own file; fails for one that is configured elsewhere. */
function useOwnEntry(name: string) {
  return useQuery({ ...routeQuery('serverEntry', { server: name }), staleTime: 0, retry: false })
}

/** Buttons for what can be changed of a server; none for one that is not in the person's own file. */
export function ChangeButtons({ name, isDisabled = false, chosen, onChoose }: ChangeButtonsProps) {
  const own = useOwnEntry(name)
  const offered: readonly Chosen[] = ['edit', 'secret', 'rename', isDisabled ? 'enable' : 'disable', 'remove']
  if (!own.data) return null
  return offered.map((one) => (
    <Button key={one} aria-expanded={chosen === one} onClick={() => onChoose(chosen === one ? undefined : one)}>
      {titles[one]}
    </Button>
  ))
}

/** The chosen change of a server, shown before it is written. */
export function ChangeServer({ name, chosen, onChoose }: ChangeButtonsProps) {
  const own = useOwnEntry(name)
  const close = () => onChoose(undefined)
  if (own.error instanceof HostRefusal && own.error.status === 409) return <Notice>{own.error.message}</Notice>
  if (chosen === undefined || !own.data) return null
  const title = titles[chosen].replace('…', '')
  return (
    <Panel title={`${title}: ${name}`}>
      {chosen === 'edit' && <EditServer name={name} written={own.data} onDone={close} />}
      {chosen === 'secret' && <SetSecrets name={name} onDone={close} />}
      {chosen === 'rename' && <RenameServer name={name} onDone={close} />}
      {(chosen === 'disable' || chosen === 'enable' || chosen === 'remove') && (
        <WriteChange name={name} change={{ kind: chosen }} title={title} onDone={close} />
      )}
    </Panel>
  )
}

function RenameServer({ name, onDone }: { readonly name: string; onDone(): void }) {
  const [to, setTo] = useState(name)
  return (
    <div className={styles.form}>
      <Field label="New name" hint="a-z, 0-9 and -">
        {(ids) => <input {...ids} value={to} onChange={({ target }) => setTo(target.value)} />}
      </Field>
      {to !== name && to !== '' && (
        <WriteChange name={name} change={{ kind: 'rename', to }} title="Rename" onDone={onDone} />
      )}
    </div>
  )
}

interface WriteChangeProps {
  readonly name: string
  readonly change: Change
  readonly title: string
  onDone(): void
}

/** A change as it would be written, and the button that writes exactly that. */
function WriteChange({ name, change, title, onDone }: WriteChangeProps) {
  const navigate = useNavigate()
  const query = routeQuery('planServerChange', { server: name, change })
  const plan = useQuery({ ...query, staleTime: 0, retry: false, placeholderData: keepPreviousData })
  const write = useMutation({
    mutationKey: changingServer,
    mutationFn: (digest: string) => callHost('changeServer', { server: name, change, digest }),
    onSuccess: async () => {
      if (change.kind === 'remove') await navigate({ to: '/servers' })
      if (change.kind === 'rename') await navigate({ to: '/servers/$name', params: { name: change.to } })
      onDone()
      await queryClient.invalidateQueries({ queryKey: serversQuery.queryKey })
      await queryClient.invalidateQueries({ queryKey: ['serverEntry'] })
    },
  })
  const cancel: ReactNode = (
    <Button tone="quiet" onClick={onDone}>
      Cancel
    </Button>
  )
  return (
    <>
      <Failure error={plan.error ?? write.error} />
      {plan.data && !plan.error && (
        <ShownChange change={plan.data}>
          <Button
            tone={change.kind === 'remove' ? 'danger' : 'primary'}
            disabled={write.isPending || plan.isPlaceholderData}
            onClick={() => write.mutate(plan.data.digest)}
          >
            {title} {name}
          </Button>
          {cancel}
        </ShownChange>
      )}
    </>
  )
}
