import type { ServerSummary } from '../host/queries.ts'
import { formatNumber } from '../text/number.ts'
import { plural } from '../text/plural.ts'

type Health = Pick<ServerSummary, 'state' | 'starts' | 'failedAt' | 'isAccepted'>

/** State of a server in the word that people use: one that sleeps is idle, for only a person waits. */
export function stateWord(state: string): string {
  return { waiting: 'idle', failing: 'failed' }[state] ?? state
}

/** True if a server needs a person: it fails, waits for one, or failed when it ran last. */
export function needsAttention({ state, failedAt }: Health): boolean {
  return state === 'failing' || state === 'needs you' || failedAt !== undefined
}

/** Health of all servers in words; one that was not started is not well, it is not known. */
export function healthInWords(servers: readonly Health[]): string {
  const quiet = servers.filter((server) => !needsAttention(server))
  const failed = servers.filter(({ failedAt }) => failedAt !== undefined).length
  const unwell = servers.length - quiet.length - failed
  const idle = quiet.filter(({ state, starts }) => state === 'waiting' && starts > 0).length
  const unstarted = quiet.filter(({ state, starts }) => state === 'waiting' && starts === 0).length
  const count = (state: Health['state']) => quiet.filter((server) => server.state === state).length
  const running = count('ready')
  if (running === servers.length) return `${plural(servers.length, 'server')}, all well`
  const parts: readonly (readonly [number, string])[] = [
    [unwell, plural(unwell, 'needs attention', 'need attention')],
    [failed, `${formatNumber(failed)} failed when last run`],
    [running, plural(running, 'runs well', 'run well')],
    [count('starting'), plural(count('starting'), 'is starting', 'are starting')],
    [idle, `${formatNumber(idle)} idle`],
    [unstarted, `${formatNumber(unstarted)} not started yet`],
    [count('stopped'), `${formatNumber(count('stopped'))} stopped`],
  ]
  const said = parts.filter(([number]) => number > 0).map(([, words]) => words)
  return `${plural(servers.length, 'server')}: ${said.join(', ')}`
}
