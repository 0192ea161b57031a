import { realpath, stat } from 'node:fs/promises'
import { isAbsolute } from 'node:path'
import { fileURLToPath } from 'node:url'
import { serverKey, serverNameOf } from '../act/server-key.ts'
import type { ServerName } from '../act/server-name.ts'
import type { Catalogue } from '../catalogue/catalogue.ts'
import { isThisProgram } from '../clients/import/self.ts'
import type { Config } from '../config/config.ts'
import { defaultFolder } from '../config/default-folder.ts'
import type { EffectiveConfig } from '../config/effective.ts'
import type { Machine } from '../config/machine.ts'
import type { ConfigProblem } from '../config/problem.ts'
import { type ConfiguredNotify, resolveNotify } from '../config/resolve-notify.ts'
import type { Secrets } from '../config/secrets/secret-file.ts'
import { rulesFromConfig } from '../policy/rules-from-config.ts'
import { commandHash } from '../servers/launch.ts'
import type { BoundPrograms } from '../servers/programs/bound-programs.ts'
import type { Programs } from '../servers/programs/programs.ts'
import type { ServerSpec } from '../servers/server-spec.ts'
import { type ConfiguredSpec, configuredServers, networkOf } from './configured-servers.ts'
import type { ProjectSettings } from './host-project.ts'
import { projectLimits } from './project-limits.ts'
import { projectRoots } from './project-roots.ts'

/** The host of a project, as far as reading the project needs it. */
export interface ProjectHost {
  readonly url: string
  readonly catalogue: Catalogue
  readonly programs: Programs
  readonly bound: BoundPrograms
  readonly acceptance: { trustBuiltIn(spec: ServerSpec): Promise<void> }
}

/** Context that a project is read from. */
export interface ProjectSurroundings {
  readonly host: ProjectHost
  readonly config: Config
  readonly machine: Machine
  readonly secrets: Secrets
  /** The variables that every program gets. */
  readonly environment: { readonly [name: string]: string }
}

/** A project as it is configured now. */
export interface ReadProject {
  readonly config: EffectiveConfig
  readonly configured: readonly ConfiguredSpec[]
  /** True if nothing is configured, so that the project's files are served. */
  readonly isBare: boolean
  readonly settings: ProjectSettings
  /** Settings of notifications about its questions. */
  readonly notify: ConfiguredNotify
  readonly problems: readonly ConfigProblem[]
}

/**
 * The root of the project that a directory is, with links followed, so that one project has one root; '' for a directory
 * that holds more than a project, such as the home directory.
 */
export async function projectRoot(directory: string, home: string): Promise<string> {
  if (!isAbsolute(directory))
    throw new Error(`Cannot work in "${directory}": a directory is named by its absolute path`)
  const path = await realpath(directory).catch(() => undefined)
  if (path === undefined || !(await stat(path)).isDirectory()) {
    throw new Error(`Cannot work in "${directory}": there is no such directory`)
  }
  return defaultFolder(path, await realpath(home).catch(() => home)) ?? ''
}

/** Reads the settings of a project, or for callers in none; a server accepted without the project is accepted in it. */
export async function readProject(root: string | undefined, surroundings: ProjectSurroundings): Promise<ReadProject> {
  const { host, config: layers, machine, secrets, environment } = surroundings
  const config = await layers.effective(root)
  const alone = root === undefined ? config : await layers.effective(undefined)
  const around = { machine, secrets, project: root, environment, alone }
  const network = await networkOf(config, around)
  const all = await configuredServers(config, { ...around, network })
  const isHost = ({ entry }: ConfiguredSpec) => isThisProgram(entry, [host.url])
  const configured = all.filter((one) => !isHost(one))
  for (const one of configured) await inherit(host, one)
  const { rules, reviews, problems, doubt } = rulesFromConfig(config)
  const { mode, definitions } = config.settings.policy ?? {}
  // entries that wait to be accepted or cannot be read are configured, too
  const isBare = configured.length === 0 && config.waiting.length === 0 && !isUnclear(config)
  const bundled = isBare && root !== undefined ? await trustedFiles(root, surroundings) : []
  const { home, environment: variables } = machine
  const notify = await resolveNotify(config, { environment: variables, secrets, home, workspace: root })
  return {
    config,
    configured,
    isBare,
    notify,
    problems: [...problems, ...notify.problems, ...network.problems, ...all.filter(isHost).map(loopProblem)],
    settings: {
      specs: [...configured.map(({ spec }) => spec), ...bundled],
      policy: { rules, reviews, doubt, ...(mode && { mode }) },
      profiles: config.settings.profiles ?? {},
      isStrict: definitions === 'strict',
      limits: projectLimits(config),
      roots: await projectRoots(config, root, home),
    },
  }
}

/** A host among its own servers would call itself without end. */
function loopProblem({ spec, place: { file, line } }: ConfiguredSpec): ConfigProblem {
  const key = `mcpServers.${serverNameOf(spec.name)}`
  return { file, line, key, problem: 'is this host itself', fix: 'remove it; it is not started' }
}

/** True if a file may have meant servers that could not be read. */
function isUnclear({ partial, problems }: EffectiveConfig): boolean {
  return (
    partial.length > 0 ||
    problems.some(({ key }) => /^(?:mcpServers?|servers|mcp|mcp_servers|context_servers)\b/.test(key))
  )
}

/** A project that only adjusts a server of the person has it as they accepted it. */
async function inherit({ catalogue, programs, bound }: ProjectHost, { spec, place }: ConfiguredSpec): Promise<void> {
  const { name: key, launch } = spec
  const own = serverKey(serverNameOf(key))
  if (key === own || place.layer !== 'user' || launch.kind === 'unresolved') return
  const hash = commandHash(launch)
  if (catalogue.isAccepted(key, hash) || !catalogue.isAccepted(own, hash)) return
  await catalogue.inherit(key, own)
  await programs.inherit(key, own)
  await bound.inherit(key, own)
}

async function trustedFiles(root: string, { host, machine, environment }: ProjectSurroundings): Promise<ServerSpec[]> {
  const files = bundledFiles(root, machine, environment)
  if (!files) return []
  const spec = { ...files, name: serverKey(serverNameOf(files.name), root), project: root }
  await host.acceptance.trustBuiltIn(spec)
  return [spec]
}

/** The root of a project, where '' stands for no project. */
export function rootOrNone(root: string): string | undefined {
  return root === '' ? undefined : root
}

/** The names of the servers that a project has, whether they can be started or not. */
export function serverNames({ config, settings }: ReadProject): readonly ServerName[] {
  return [...config.servers.map(({ name }) => name), ...settings.specs.map(({ name }) => serverNameOf(name))]
}

/** Each item once: the last of those that are the same. */
export function uniqueBy<Item>(items: readonly Item[], keyOf: (item: Item) => string): readonly Item[] {
  return [...new Map(items.map((item) => [keyOf(item), item])).values()]
}

/** Taint mode of the host: `strict` in one project makes it strict in all. */
export function taintMode(usual: ReadProject, open: readonly ReadProject[]) {
  const isStrict = [usual, ...open].some(({ config }) => config.settings.policy?.taint === 'strict')
  return isStrict ? 'strict' : (usual.config.settings.policy?.taint ?? 'default')
}

/** The bundled files server, read-only on a directory; undefined for one that holds more than a project. */
function bundledFiles(
  directory: string,
  machine: Machine,
  base: { readonly [name: string]: string },
): ServerSpec | undefined {
  const folder = defaultFolder(directory, machine.home)
  if (folder === undefined) return undefined
  const program = fileURLToPath(import.meta.resolve('#files-server'))
  const args = [program, '--read-only', folder]
  const launch = { kind: 'program', command: process.execPath, args, cwd: folder, env: {}, base } as const
  return { name: 'files', source: 'built in, while nothing is configured', launch }
}
