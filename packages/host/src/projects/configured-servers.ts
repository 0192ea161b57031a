import { canonicalJson } from '@trunkline/mcp'
import type { ToolSettings } from '../catalogue/tool-settings.ts'
import type { ConfiguredServer, EffectiveConfig } from '../config/effective.ts'
import { networkVariables } from '../config/host-environment.ts'
import { Inputs } from '../config/inputs.ts'
import type { Machine } from '../config/machine.ts'
import { type ConfiguredNetwork, resolveNetwork } from '../config/resolve-network.ts'
import { type ResolvedServer, resolveServer } from '../config/resolve-server.ts'
import type { Secrets } from '../config/secrets/secret-file.ts'
import type { ServerSpec } from '../servers/server-spec.ts'
import { specFromConfig } from '../servers/spec-from-config.ts'

/** Context that server entries are resolved against. */
export interface Surroundings {
  readonly machine: Machine
  readonly secrets: Secrets
  /** The directory of the project, where there is one. */
  readonly project: string | undefined
  /** The variables that every program gets. */
  readonly environment: { readonly [name: string]: string }
  /** The effective configuration without the project. @default the same */
  readonly alone?: EffectiveConfig
  /** Network settings for remote servers. @default as the configuration says */
  readonly network?: ConfiguredNetwork
}

/** A server of the configuration, ready to be run. */
export interface ConfiguredSpec {
  readonly spec: ServerSpec
  readonly toolSettings: ToolSettings
  readonly entry: ResolvedServer['entry']
  readonly place: ResolvedServer['place']
}

/** Every server that is configured and not disabled. */
export async function configuredServers(
  config: EffectiveConfig,
  surroundings: Surroundings,
): Promise<ConfiguredSpec[]> {
  const { machine, secrets, project: root, environment, alone = config } = surroundings
  const inProject = {
    network: surroundings.network ?? (await networkOf(config, surroundings)),
    inputs: new Inputs(config.settings.inputs),
  }
  // a server that all projects share must not depend on one of them
  const inAll =
    alone === config
      ? inProject
      : { network: await networkOf(alone, surroundings), inputs: new Inputs(alone.settings.inputs) }
  const context = { environment: machine.environment, secrets, home: machine.home, workspace: root }
  // a package manager that cannot reach its registry waits, and says nothing
  const fetching = { ...environment, ...networkVariables(machine.environment) }
  const variablesFor = ({ launch }: ResolvedServer) => (fetchesPackages(launch) ? fetching : environment)
  const enabled = config.servers.filter(({ entry }) => entry.disabled !== true)
  return Promise.all(
    enabled.map(async (server) => {
      const own = await resolveServer(server, { ...context, inputs: inProject.inputs })
      const isCommon = isShared(server, own, alone)
      const { network, inputs } = isCommon ? inAll : inProject
      const resolved = isCommon ? await resolveServer(server, { ...context, inputs }) : own
      const project = isCommon ? undefined : root
      const directory = resolved.sharing === 'shared' ? machine.home : (project ?? machine.home)
      return {
        spec: specFromConfig(resolved, { environment: variablesFor(resolved), directory, project, network }),
        toolSettings: toolSettingsOf(resolved),
        entry: resolved.entry,
        place: resolved.place,
      }
    }),
  )
}

/** Network settings for remote servers, from the person's settings and the accepted ones of a project. */
export function networkOf(config: EffectiveConfig, surroundings: Surroundings): Promise<ConfiguredNetwork> {
  const { machine, secrets, project: workspace } = surroundings
  return resolveNetwork(config, { environment: machine.environment, secrets, home: machine.home, workspace })
}

/** True if a server is the same without the project, and does not depend on it. */
function isShared(server: ConfiguredServer, { sharing }: ResolvedServer, alone: EffectiveConfig): boolean {
  if (sharing !== 'shared') return false
  const same = alone.servers.find(({ name }) => name === server.name)
  return same?.place.file === server.place.file && canonicalJson(same.entry) === canonicalJson(server.entry)
}

/** True for a program that runs packages of a registry. */
function fetchesPackages(launch: ResolvedServer['launch']): boolean {
  return launch?.type === 'stdio' && packageRunner.test(launch.command)
}

const packageRunner = /(?:^|[\\/])(?:npx|npm|pnpm|pnpx|yarn|bunx|bun|uvx|uv|pipx)(?:\.cmd|\.exe)?$/i

function toolSettingsOf({ entry: { tools, rename, describe, classes } }: ResolvedServer): ToolSettings {
  return {
    ...(tools?.only && { only: tools.only }),
    ...(tools?.except && { except: tools.except }),
    ...(rename && { rename }),
    ...(describe && { describe }),
    ...(classes && { classes }),
  }
}
