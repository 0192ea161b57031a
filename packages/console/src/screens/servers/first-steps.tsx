import { useQuery } from '@tanstack/react-query'
import { Link } from '@tanstack/react-router'
import type { ReactNode } from 'react'
import { AcceptServers } from '../../accept/accept-servers.tsx'
import { routeQuery, type ServerSummary } from '../../host/queries.ts'
import { plural } from '../../text/plural.ts'
import styles from './first-steps.module.css'

/** Steps of a first run, each with what it takes: accept what runs, try a tool, connect an editor. */
export function FirstSteps({ servers }: { readonly servers: readonly ServerSummary[] }) {
  const { data } = useQuery({ ...routeQuery('knownClients'), staleTime: 0 })
  const waiting = servers.filter(({ isAccepted, needs }) => !isAccepted && needs === undefined)
  const isAccepted = servers.some((server) => server.isAccepted)
  const isTried = servers.some(({ callsIn30Days }) => callsIn30Days > 0)
  const isConnected = data?.items.some((client) => client.isConnected) ?? false
  return (
    <ol className={styles.steps} aria-label="First steps">
      <Step title="Accept what may run" isDone={isAccepted && waiting.length === 0}>
        {waiting.length > 0 && (
          <>
            <p>
              {plural(waiting.length, 'server waits', 'servers wait')} for you. Nothing has been started: read each
              command, and accept those you know.
            </p>
            <AcceptServers servers={waiting} />
          </>
        )}
      </Step>
      <Step title="Try a tool" isDone={isTried}>
        {!isTried && (
          <p>
            {isAccepted ? (
              <>
                <Link to="/tools">Choose a tool</Link>, fill in its form and run it.
              </>
            ) : (
              'Its form and its result are under Tools, as soon as a server is accepted.'
            )}
          </p>
        )}
      </Step>
      <Step title="Connect your editor" isDone={isConnected}>
        {!isConnected && (
          <p>
            <Link to="/connect">Choose your editor</Link>: you see the change to its file before it is written.
          </p>
        )}
      </Step>
    </ol>
  )
}

interface StepProps {
  readonly title: string
  readonly isDone: boolean
  readonly children: ReactNode
}

function Step({ title, isDone, children }: StepProps) {
  return (
    <li className={`${styles.step} ${isDone ? styles.done : ''}`}>
      <h2>
        {title} {isDone && <span className={styles.mark}>done</span>}
      </h2>
      {children}
    </li>
  )
}
