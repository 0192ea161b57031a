import type { Presentation } from './catalogue/presentation.ts'
import type { Machine } from './clients/client-files.ts'
import type { EffectiveConfig } from './config/effective.ts'
import { type ResolvedServer, resolveServer } from './config/resolve-server.ts'
import type { Secrets } from './config/secrets/secret-file.ts'
import type { ServerSpec } from './servers/server-spec.ts'
import { specFromConfig } from './servers/spec-from-config.ts'

/** What the entries of servers are resolved against. */
export interface Surroundings {
  readonly machine: Machine
  readonly secrets: Secrets
  /** The directory of the project, where there is one. */
  readonly project: string | undefined
  /** The variables that every program gets. */
  readonly environment: { readonly [name: string]: string }
}

/** A server of the configuration, ready to be run. */
export interface ConfiguredSpec {
  readonly spec: ServerSpec
  readonly presentation: Presentation
  readonly entry: ResolvedServer['entry']
  readonly place: ResolvedServer['place']
}

/** Every server that is configured and not disabled. */
export async function configuredServers(
  config: EffectiveConfig,
  surroundings: Surroundings,
): Promise<ConfiguredSpec[]> {
  const { machine, secrets, project, environment } = surroundings
  const enabled = config.servers.filter(({ entry }) => entry.disabled !== true)
  return Promise.all(
    enabled.map(async (server) => {
      const context = { environment: machine.environment, secrets, home: machine.home, workspace: project }
      const resolved = await resolveServer(server, context)
      // a server that all projects share must not depend on where the host was started
      const directory = resolved.sharing === 'shared' ? machine.home : (project ?? machine.home)
      return {
        spec: specFromConfig(resolved, { environment, directory, project }),
        presentation: presentationOf(resolved),
        entry: resolved.entry,
        place: resolved.place,
      }
    }),
  )
}

function presentationOf({ entry: { tools, rename, describe, classes } }: ResolvedServer): Presentation {
  return {
    ...(tools?.only && { only: tools.only }),
    ...(tools?.except && { except: tools.except }),
    ...(rename && { rename }),
    ...(describe && { describe }),
    ...(classes && { classes }),
  }
}
