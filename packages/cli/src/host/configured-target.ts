import { readFile } from 'node:fs/promises'
import { join } from 'node:path'
import { apiClient, findPlaces, findRunning, projectHeader, type RunningAt, thisMachine } from '@trunkline/host/api'
import type { ServerTarget } from '../session/target.ts'

/** A server of the running host, reached through it like any client reaches it; undefined when there is none of that name. */
export async function configuredTarget(name: string): Promise<ServerTarget | undefined> {
  const running = await findRunning(findPlaces(thisMachine()))
  if (!running) return undefined
  const { items } = await apiClient({ ...running, project: process.cwd() }).call('servers')
  return items.some((server) => server.name === name) ? hostTarget(running, `/mcp/server/${name}`) : undefined
}

/** An address of the running host, as the principal that this command is. */
export async function hostTarget(running: RunningAt, path: string): Promise<ServerTarget> {
  const { state } = findPlaces(thisMachine())
  const token = (await readFile(join(state, 'command-token'), 'utf8')).trim()
  const headers = { authorization: `Bearer ${token}`, ...projectHeader(process.cwd()) }
  return { kind: 'url', url: new URL(path, running.url).href, headers }
}
