import { readFile } from 'node:fs/promises'
import { join } from 'node:path'
import { apiClient, findPlaces, findRunning, projectHeader, type RunningAt, thisMachine } from '@trunkline/host/api'
import { exitCodes } from '../failure/exit-codes.ts'
import { Failure } from '../failure/failure.ts'
import type { ServerTarget, TargetResolver } from '../session/target.ts'
import { nextCommand, type ServerSummary } from './show.ts'

type Found = Awaited<ReturnType<TargetResolver>>

/** A server of the running host, reached through it like any client reaches it. */
export async function configuredTarget(name: string): Promise<Found> {
  const running = await findRunning(findPlaces(thisMachine()))
  return running ? targetAt(running, name) : { kind: 'unknown', names: [] }
}

/** The same; where no host runs and the server is configured, the host is started, as clients start it. */
export async function startedTarget(name: string): Promise<Found> {
  const found = await findRunning(findPlaces(thisMachine()))
  if (found) return usableAt(found, name)
  const names = await configuredNames()
  if (!names.includes(name)) return { kind: 'unknown', names }
  const { runningOrStarted } = await import('./start-detached.ts')
  const running = await runningOrStarted()
  // it answers before it has read its configuration
  for (const until = Date.now() + readMs; Date.now() < until && !(await namesAt(running)).includes(name); ) {
    await new Promise((resolve) => setTimeout(resolve, lookMs))
  }
  return usableAt(running, name)
}

/** The same of a server that can be used; of another, why not and what to do, because it would only offer nothing. */
async function usableAt(running: RunningAt, name: string): Promise<Found> {
  const server = (await serversAt(running)).find((one) => one.name === name)
  if (!server || (server.isAccepted && (server.tools > 0 || isAtWork.has(server.state)))) return targetAt(running, name)
  const hint = nextCommand(server)
  throw new Failure(`Cannot use server "${name}": ${server.why}`, {
    code: server.isAccepted ? 'Unreachable' : 'NotAccepted',
    exit: server.isAccepted ? exitCodes.unreachable : exitCodes.denied,
    ...(hint !== undefined && !server.why.includes(hint) && { hint }),
  })
}

const isAtWork = new Set<ServerSummary['state']>(['ready', 'starting', 'waiting'])

async function targetAt(running: RunningAt, name: string): Promise<Found> {
  const names = await namesAt(running)
  return names.includes(name) ? hostTarget(running, `/mcp/server/${name}`) : { kind: 'unknown', names }
}

const readMs = 10_000
const lookMs = 50

async function namesAt(running: RunningAt): Promise<readonly string[]> {
  return (await serversAt(running)).map(({ name }) => name)
}

async function serversAt(running: RunningAt): Promise<readonly ServerSummary[]> {
  return (await apiClient({ ...running, project: process.cwd() }).call('servers')).items
}

async function configuredNames(): Promise<readonly string[]> {
  const { Config } = await import('@trunkline/host/config')
  const machine = thisMachine()
  using config = new Config({ places: findPlaces(machine), machine, isAccepted: () => false })
  const { servers } = await config.effective(process.cwd())
  return servers.map(({ name }) => name)
}

/** An address of the running host, as the principal that this command is. */
export async function hostTarget(running: RunningAt, path: string): Promise<ServerTarget> {
  const { state } = findPlaces(thisMachine())
  const token = (await readFile(join(state, 'command-token'), 'utf8')).trim()
  const headers = { authorization: `Bearer ${token}`, ...projectHeader(process.cwd()) }
  return { kind: 'url', url: new URL(path, running.url).href, headers }
}
