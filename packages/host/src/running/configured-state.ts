import type { ServerName } from '../act/server-name.ts'
import { profileProblems } from '../config/check-profiles.ts'
import type { EffectiveConfig } from '../config/effective.ts'
import { type ConfigProblem, describeProblem } from '../config/problem.ts'
import { type ReadProject, serverNames, uniqueBy } from '../projects/read-project.ts'

/** The current configuration, for people. */
export interface ConfiguredState {
  readonly problems: readonly ConfigProblem[]
  /** Project files that permit nothing until they are accepted. */
  readonly waiting: EffectiveConfig['waiting']
  readonly servers: readonly ServerName[]
  /** Folder that is served, read-only, while nothing is configured. */
  readonly servedFolder: string | undefined
  /** Servers that are not started because their entries say so. */
  readonly disabled: readonly DisabledServer[]
  /** Servers configured in other clients, listed while nothing is configured here. */
  readonly found: readonly ServerElsewhere[]
}

/** A configured server whose entry has `"disabled": true`. */
export interface DisabledServer {
  readonly name: ServerName
  /** The file and line of its entry. */
  readonly source: string
}

/** A server that another client has. */
export interface ServerElsewhere {
  readonly name: string
  readonly client: string
  readonly file: string
}

/** State of some projects: their problems and those of `others`, and the parts that wait. */
export function configuredState(
  projects: readonly ReadProject[],
  {
    others,
    ...told
  }: Pick<ConfiguredState, 'servers' | 'servedFolder' | 'found'> & {
    readonly others: readonly ConfigProblem[]
  },
): ConfiguredState {
  // a profile of the person may be for servers of a project
  const servers = new Set(projects.flatMap(serverNames))
  const problems = projects.flatMap((project) => [
    ...project.config.problems,
    ...project.problems,
    ...profileProblems(project.config, servers),
  ])
  const waiting = projects.flatMap(({ config }) => config.waiting)
  return {
    ...told,
    problems: uniqueBy([...problems, ...others], describeProblem),
    waiting: uniqueBy(waiting, ({ file }) => file),
    disabled: disabledServers(projects),
  }
}

/** The servers of projects that are configured and not started, because their entries say so; one of several projects once. */
function disabledServers(projects: readonly ReadProject[]): readonly DisabledServer[] {
  const disabled = projects
    .flatMap(({ config }) => config.servers)
    .filter(({ entry }) => entry.disabled === true)
    .map(({ name, place: { file, line } }) => ({ name, source: `${file}:${line}` }))
  return uniqueBy(disabled, ({ name, source }) => `${name} ${source}`)
}
