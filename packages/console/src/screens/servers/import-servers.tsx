import { useMutation, useQuery } from '@tanstack/react-query'
import { useNavigate } from '@tanstack/react-router'
import type { RouteAnswer } from '@trunkline/host/page-api'
import { useState } from 'react'
import { callHost } from '../../host/call.ts'
import { queryClient, routeQuery } from '../../host/queries.ts'
import { Button } from '../../parts/button.tsx'
import { Code } from '../../parts/code.tsx'
import { Failure } from '../../parts/failure.tsx'
import { Notice } from '../../parts/notice.tsx'
import { Panel } from '../../parts/panel.tsx'
import { plural } from '../../text/plural.ts'
import { Said } from '../../text/said.tsx'
import styles from './servers.module.css'

type Planned = RouteAnswer<'planImport'>['items'][number]

/** Takes over what the other clients of this machine have, after showing each command in full. */
export function ImportServers() {
  const { data, error } = useQuery({ ...routeQuery('planImport'), staleTime: 0, refetchOnMount: 'always' })
  return (
    <Panel title="From your other clients">
      <Failure error={error} />
      {data?.items.length === 0 && (
        <p className={styles.unused}>Your other clients have no servers that are not configured here.</p>
      )}
      {data && data.items.length > 0 && <Choice key={data.digest} plan={data} />}
      {data?.problems.map((problem) => (
        <Notice key={problem} tone="warn">
          <Said text={problem} />
        </Notice>
      ))}
      {data?.skipped.map(({ name, client, why }) => (
        <p key={`${client} ${name}`} className={styles.why}>
          Left out: <Said text={name} oneLine /> of {client}, <Said text={why} />
        </p>
      ))}
    </Panel>
  )
}

function Choice({ plan: { items, digest } }: { readonly plan: RouteAnswer<'planImport'> }) {
  const navigate = useNavigate()
  const [chosen, setChosen] = useState(() => items.filter(({ isProposed }) => isProposed).map(({ name }) => name))
  const take = useMutation({
    mutationFn: () => callHost('importServers', { servers: chosen, digest }),
    onSuccess: async () => {
      await queryClient.invalidateQueries()
      await navigate({ to: '/servers' })
    },
  })
  const turn = (name: string) =>
    setChosen(chosen.includes(name) ? chosen.filter((one) => one !== name) : [...chosen, name])
  return (
    <div className={styles.imports}>
      <p>They become text in your configuration. None of them starts before you accept its exact command.</p>
      <ul className={styles.imports} aria-label="Servers of other clients">
        {items.map((server) => (
          <li key={server.name}>
            <PlannedServer server={server} isChosen={chosen.includes(server.name)} onTurn={() => turn(server.name)} />
          </li>
        ))}
      </ul>
      <div>
        <Button tone="primary" disabled={chosen.length === 0 || take.isPending} onClick={() => take.mutate()}>
          Take over {plural(chosen.length, 'server')}
        </Button>
      </div>
      <Failure error={take.error} />
    </div>
  )
}

interface PlannedServerProps {
  readonly server: Planned
  readonly isChosen: boolean
  onTurn(): void
}

function PlannedServer({ server, isChosen, onTurn }: PlannedServerProps) {
  const { name, command } = server
  return (
    <div className={styles.form}>
      <label className={styles.tick}>
        <input type="checkbox" checked={isChosen} onChange={onTurn} />
        <strong>
          <Said text={name} oneLine />
        </strong>
      </label>
      <Code text={command} label={`command of ${name}`} canCopy={false} />
      <p className={styles.why}>
        <Said text={factsOf(server)} oneLine />
      </p>
    </div>
  )
}

/** Origins of a server, and the variables and secrets that it brings along. */
function factsOf({ names, secrets, project, origins }: Planned): string {
  return [
    origins.map(({ client, file, line }) => `${client}, ${file}:${line}`).join('; '),
    ...(names.length > 0 ? [`Sets ${names.join(', ')}`] : []),
    ...(secrets.length > 0 ? [`${plural(secrets.length, 'secret is', 'secrets are')} kept apart`] : []),
    ...(project === undefined ? [] : [`Only for ${project}`]),
  ].join('. ')
}
