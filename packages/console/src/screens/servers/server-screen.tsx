import { useQuery } from '@tanstack/react-query'
import { useParams } from '@tanstack/react-router'
import { useMemo, useState } from 'react'
import { AcceptServer } from '../../accept/accept-server.tsx'
import { LaunchFacts, launchOf } from '../../accept/launch-facts.tsx'
import { activity } from '../../host/activity.ts'
import { useShortPaths } from '../../host/home.ts'
import { catalogueQuery, routeQuery, type ServerSummary, serversQuery } from '../../host/queries.ts'
import { useStore } from '../../host/store.ts'
import { useToolCounts } from '../../host/use-tool-counts.ts'
import { CallCurves } from '../../parts/call-curves.tsx'
import { Code } from '../../parts/code.tsx'
import { Empty } from '../../parts/empty.tsx'
import { Halves } from '../../parts/halves.tsx'
import { Notice } from '../../parts/notice.tsx'
import { Panel } from '../../parts/panel.tsx'
import { Screen } from '../../shell/screen.tsx'
import { Said } from '../../text/said.tsx'
import { Time } from '../../text/time.tsx'
import { ChangeButtons, ChangeServer, type Chosen } from './change-server.tsx'
import { ProcessTree } from './process-tree.tsx'
import { ServerActions } from './server-actions.tsx'
import { ServerLog } from './server-log.tsx'
import { ServerOffers } from './server-offers.tsx'
import { ServerSaid } from './server-said.tsx'
import { ServerState } from './server-state.tsx'
import { SetSecrets } from './set-secrets.tsx'
import { StatePanel } from './state-panel.tsx'
import { useStartQuestions } from './use-start-questions.ts'

const servers = { to: '/servers', title: 'Servers' }

/** One server: how it is, what it runs, what it says of itself and what it wrote. */
export function ServerScreen() {
  const { name } = useParams({ from: '/servers/$name' })
  const short = useShortPaths()
  const { data, isPending } = useQuery(serversQuery)
  const entries = useQuery(catalogueQuery).data?.items.filter(({ server }) => server === name) ?? []
  const { lines: all } = useStore(activity)
  const lines = useMemo(() => all.filter(({ line }) => line.server === name), [all, name])
  const server = data?.items.find((one) => one.name === name)
  useToolCounts(name)
  const [chosen, setChosen] = useState<Chosen>()
  useStartQuestions([name])
  if (!server) {
    const disabled = data?.disabled?.find((one) => one.name === name)
    const change = { name, isDisabled: true, chosen, onChoose: setChosen }
    return (
      <Screen
        title={name}
        back={servers}
        about={disabled && <Said text={short(`Disabled in ${disabled.source}`)} />}
        actions={disabled && <ChangeButtons {...change} />}
      >
        {disabled && <ChangeServer {...change} />}
        {!isPending && !disabled && (
          <Empty title={`There is no server "${name}"`}>It may have been taken out of the configuration.</Empty>
        )}
      </Screen>
    )
  }
  const { state, why, since, failedAt, pid, command, commandHash, isAccepted, sandbox, needs } = server
  const log = <ServerLog name={server.key} />
  const change = { name: server.key, chosen, onChoose: setChosen }
  return (
    <Screen
      title={name}
      back={servers}
      about={
        <>
          <ServerState state={failedAt === undefined ? state : 'failed'} />{' '}
          {since > 0 && <Time at={failedAt ?? since} />}
          {isAccepted && why !== state && state !== 'failing' && (
            <>
              {' · '}
              <Said text={short(why)} />
            </>
          )}
        </>
      }
      actions={
        <>
          {isAccepted && <ServerActions server={server} />}
          <ChangeButtons {...change} />
        </>
      }
    >
      {state === 'failing' && (
        <Notice tone="bad">
          <strong>
            <Said text={short(why)} />
          </strong>
          <p>
            Fix what it complains about, then press Start. In a terminal, <code>trunkline doctor {name}</code> names the
            cause and the command that helps.
          </p>
        </Notice>
      )}
      <ChangeServer {...change} />
      {needs !== undefined && <MissingForServer server={server} needs={needs} />}
      {!isAccepted && needs === undefined && (
        <Panel title={server.differences ? 'Not what you accepted' : 'Not accepted yet'}>
          <p>Nothing runs before you accept this, exactly as it stands here:</p>
          <Code text={command} label="command" />
          <LaunchFacts {...launchOf(server)} />
          <AcceptServer server={name} commandHash={commandHash} what={server.isRemote ? 'address' : 'command'} />
        </Panel>
      )}
      {isAccepted && sandbox === undefined && <ProposedSandbox server={server.key} />}
      <Halves>
        <StatePanel server={server} />
        <ServerSaid name={server.key} state={state} />
      </Halves>
      {/* the log most likely names the cause */}
      {state === 'failing' && log}
      {isAccepted && <CallCurves lines={lines} />}
      {pid !== undefined && <ProcessTree server={server.key} pid={pid} />}
      <ServerOffers entries={entries} acceptedAt={server.acceptedAt} />
      {isAccepted && state !== 'failing' && log}
    </Screen>
  )
}

/** A server that cannot be started, nor be accepted, before a person gave what is missing. */
function MissingForServer({ server, needs }: { readonly server: ServerSummary; readonly needs: string }) {
  const { command, isRemote } = server
  const short = useShortPaths()
  return (
    <Panel title="Something is missing">
      <Notice tone="bad">
        <Said text={short(needs)} />
      </Notice>
      <p>
        {isRemote ? 'It is not reached' : 'It is not started'} before that; then this page shows it as it will be,{' '}
        {isRemote ? 'to accept its address.' : 'to accept its command.'} It is written as:
      </p>
      <Code text={command} label="command" />
      <LaunchFacts {...launchOf(server)} isWaiting />
      <SetSecrets name={server.name} onDone={() => {}} />
    </Panel>
  )
}

/** A sandbox that would leave a server what its tools say they touch, where it runs without one. */
function ProposedSandbox({ server }: { readonly server: string }) {
  const { data } = useQuery({ ...routeQuery('server', { server }), staleTime: 0 })
  const short = useShortPaths()
  if (data?.proposes === undefined) return null
  return (
    <Notice tone="warn">
      It runs with your rights. <Said text={short(data.proposes)} />.
    </Notice>
  )
}
