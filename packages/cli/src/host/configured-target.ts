import { readFile } from 'node:fs/promises'
import { join } from 'node:path'
import { apiClient, findPlaces, findRunning, projectHeader, type RunningAt, thisMachine } from '@trunkline/host/api'
import type { ServerTarget } from '../session/target.ts'

/** A server of the running host, reached through it like any client reaches it; undefined when there is none of that name. */
export async function configuredTarget(name: string): Promise<ServerTarget | undefined> {
  const running = await findRunning(findPlaces(thisMachine()))
  return running && (await hasServer(running, name)) ? hostTarget(running, `/mcp/server/${name}`) : undefined
}

/** The same; where no host runs and the server is configured, the host is started, as clients start it. */
export async function startedTarget(name: string): Promise<ServerTarget | undefined> {
  const places = findPlaces(thisMachine())
  if ((await findRunning(places)) || !(await isConfigured(name))) return configuredTarget(name)
  const { runningOrStarted } = await import('./start-detached.ts')
  const running = await runningOrStarted()
  // it answers before it has read its configuration
  for (const until = Date.now() + readMs; Date.now() < until && !(await hasServer(running, name)); ) {
    await new Promise((resolve) => setTimeout(resolve, lookMs))
  }
  return configuredTarget(name)
}

const readMs = 10_000
const lookMs = 50

async function hasServer(running: RunningAt, name: string): Promise<boolean> {
  const { items } = await apiClient({ ...running, project: process.cwd() }).call('servers')
  return items.some((server) => server.name === name)
}

async function isConfigured(name: string): Promise<boolean> {
  const { Config } = await import('@trunkline/host')
  const machine = thisMachine()
  using config = new Config({ places: findPlaces(machine), machine, isAccepted: () => false })
  const { servers } = await config.effective(process.cwd())
  return servers.some((server) => server.name === name)
}

/** An address of the running host, as the principal that this command is. */
export async function hostTarget(running: RunningAt, path: string): Promise<ServerTarget> {
  const { state } = findPlaces(thisMachine())
  const token = (await readFile(join(state, 'command-token'), 'utf8')).trim()
  const headers = { authorization: `Bearer ${token}`, ...projectHeader(process.cwd()) }
  return { kind: 'url', url: new URL(path, running.url).href, headers }
}
