import { useMutation } from '@tanstack/react-query'
import { Link } from '@tanstack/react-router'
import { type FormEvent, useState } from 'react'
import { callHost } from '../host/call.ts'
import { queryClient, type ServerSummary, serversQuery } from '../host/queries.ts'
import { Button } from '../parts/button.tsx'
import { Code } from '../parts/code.tsx'
import { Failure } from '../parts/failure.tsx'
import { Notice } from '../parts/notice.tsx'
import { plural } from '../text/plural.ts'
import { Said } from '../text/said.tsx'
import styles from './accept-server.module.css'
import { CodeField } from './code-field.tsx'
import { LaunchFacts, launchOf } from './launch-facts.tsx'

interface Shown {
  readonly server: string
  readonly commandHash: string
}

/** Servers that the host accepts with one code. */
const maxTogether = 50

/** Accepts several servers with one code that only the terminal shows: exactly the commands that are shown here. */
export function AcceptServers({ servers: all }: { readonly servers: readonly ServerSummary[] }) {
  const servers = all.slice(0, maxTogether)
  const [left, setLeft] = useState<readonly string[]>([])
  const [code, setCode] = useState('')
  const chosen = servers.filter(({ key }) => !left.includes(key))
  const made = useMutation({
    mutationFn: async (shown: readonly Shown[]) => {
      await callHost('makeAcceptServersCode', { servers: [...shown] })
      return shown
    },
  })
  const accepted = useMutation({
    mutationFn: (shown: readonly Shown[]) => callHost('acceptServers', { servers: [...shown], code: code.trim() }),
    onSuccess: async () => {
      made.reset()
      setCode('')
      await queryClient.invalidateQueries({ queryKey: serversQuery.queryKey })
    },
  })
  const turn = (key: string) => {
    made.reset()
    setLeft(left.includes(key) ? left.filter((one) => one !== key) : [...left, key])
  }
  const submit = (event: FormEvent) => {
    event.preventDefault()
    if (made.data) accepted.mutate(made.data)
  }
  const isOpen = chosen.some(({ isRemote, sandbox }) => !isRemote && sandbox === undefined)
  return (
    <form className={styles.many} onSubmit={submit}>
      <ul className={styles.many} aria-label="Servers to accept">
        {servers.map((server) => (
          <li key={server.key} className={styles.one}>
            <div className={styles.tick}>
              <input
                type="checkbox"
                aria-label={`Accept ${server.name}`}
                checked={!left.includes(server.key)}
                onChange={() => turn(server.key)}
              />
              <Link to="/servers/$name" params={{ name: server.name }} className={styles.name}>
                <Said text={server.name} oneLine />
              </Link>
            </div>
            <Code text={server.command} label={`command of ${server.name}`} canCopy={false} />
            <LaunchFacts {...launchOf(server)} isOneOfMany />
          </li>
        ))}
      </ul>
      <Notice {...(isOpen && { tone: 'warn' as const })}>
        {isOpen
          ? 'Programs without a sandbox run with your rights: they can read and write your files and use your network. '
          : ''}
        Accepting also pins the tools that they offer.
      </Notice>
      {all.length > servers.length && (
        <Notice>{plural(all.length - servers.length, 'further server')} can be accepted after these.</Notice>
      )}
      {made.data ? (
        <CodeField code={code} isPending={accepted.isPending} instead="trunkline accept --all" onType={setCode} />
      ) : (
        <div>
          <Button
            tone="primary"
            disabled={chosen.length === 0 || made.isPending}
            onClick={() => made.mutate(chosen.map(({ key, commandHash }) => ({ server: key, commandHash })))}
          >
            Accept {chosen.length === 1 ? 'this server' : `these ${plural(chosen.length, 'server')}`}…
          </Button>
        </div>
      )}
      <Failure error={made.error ?? accepted.error} />
      {accepted.data?.items.map(({ server, problem, scripts }) => (
        <Refusal key={server} server={server} problem={problem} scripts={scripts} />
      ))}
    </form>
  )
}

interface RefusalProps {
  readonly server: string
  readonly problem: string | undefined
  readonly scripts: readonly string[] | undefined
}

/** Reason why one of several servers was not accepted; nothing for one that was. */
function Refusal({ server, problem, scripts }: RefusalProps) {
  const why = problem ?? (scripts && `its package wants to run ${scripts.join(', ')}; open it to look at that`)
  if (why === undefined) return null
  return (
    <Notice tone="warn" live>
      <Said text={`${server}: ${why}`} />
    </Notice>
  )
}
