import { readFile } from 'node:fs/promises'
import { join } from 'node:path'
import { apiClient, findPlaces, findRunning, projectHeader, thisMachine } from '@trunkline/host/api'
import type { ServerTarget } from '../session/target.ts'

/** A server of the running host, reached through it like any client reaches it; undefined when there is none of that name. */
export async function configuredTarget(name: string): Promise<ServerTarget | undefined> {
  const places = findPlaces(thisMachine())
  const running = await findRunning(places)
  if (!running) return undefined
  const { items } = await apiClient({ ...running, project: process.cwd() }).call('servers')
  if (!items.some((server) => server.name === name)) return undefined
  const token = (await readFile(join(places.state, 'command-token'), 'utf8')).trim()
  const url = new URL(`/mcp/server/${name}`, running.url).href
  return { kind: 'url', url, headers: { authorization: `Bearer ${token}`, ...projectHeader(process.cwd()) } }
}
