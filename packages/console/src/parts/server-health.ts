import type { ServerSummary } from '../host/queries.ts'
import { plural } from '../text/plural.ts'

type Health = Pick<ServerSummary, 'state' | 'starts' | 'failedAt' | 'isAccepted'>

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
    [failed, `${failed.toLocaleString('en')} failed when last run`],
    [running, plural(running, 'runs well', 'run well')],
    [count('starting'), plural(count('starting'), 'is starting', 'are starting')],
    [idle, `${idle.toLocaleString('en')} idle`],
    [unstarted, `${unstarted.toLocaleString('en')} not started yet`],
    [count('stopped'), `${count('stopped').toLocaleString('en')} stopped`],
  ]
  const said = parts.filter(([number]) => number > 0).map(([, words]) => words)
  return `${plural(servers.length, 'server')}: ${said.join(', ')}`
}
