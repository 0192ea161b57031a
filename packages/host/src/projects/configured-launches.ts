import { Config } from '../config/config.ts'
import type { Machine } from '../config/machine.ts'
import { findPlaces } from '../config/places.ts'
import { secretFile } from '../config/secrets/secret-file.ts'
import { baseEnvironment, loginPath } from '../servers/program-environment.ts'
import type { ServerSpec } from '../servers/server-spec.ts'
import { configuredServers } from './configured-servers.ts'

/** Launch of a configured server: its program or its URL. */
export type ConfiguredServerLaunch = Pick<ServerSpec, 'name' | 'source' | 'launch'>

/** Every configured server as a host would start it, without starting any; for telling why one does not work. */
export async function configuredLaunches(
  machine: Machine,
  project: string,
): Promise<readonly ConfiguredServerLaunch[]> {
  const places = findPlaces(machine)
  using config = new Config({ places, machine, isAccepted: () => true })
  const servers = await configuredServers(await config.effective(project), {
    machine,
    secrets: secretFile(places.secretsFile),
    project,
    environment: baseEnvironment(machine, await loginPath(machine)),
  })
  return servers.map(({ spec: { name, source, launch } }) => ({
    name,
    launch,
    ...(source !== undefined && { source }),
  }))
}
