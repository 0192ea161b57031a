import { showWords } from '@trunkline/base/show-words'
import { serverKey } from '../act/server-key.ts'
import { describeProblem } from '../config/problem.ts'
import type { ConfiguredNetwork } from '../config/resolve-network.ts'
import type { ResolvedServer } from '../config/resolve-server.ts'
import type { ServerEntry } from '../config/schema/server-entry.ts'
import type { OAuthSettings } from './launch.ts'
import type { ServerSpec, WrittenLaunch } from './server-spec.ts'

/** Context of a program besides its configuration. */
export interface ProgramSurroundings {
  /** The variables that every program gets. */
  readonly environment: { readonly [name: string]: string }
  /** The directory of a program whose entry names none. */
  readonly directory: string
  /** The project whose server it is; undefined for one that all share. */
  readonly project: string | undefined
  /** Network settings for remote servers. @default as the environment of the host says */
  readonly network?: ConfiguredNetwork
}

/** Spec of a configured server. */
export function specFromConfig(server: ResolvedServer, surroundings: ProgramSurroundings): ServerSpec {
  const { name, entry, place, needs, launch, sharing } = server
  const { start, startTimeoutMs, callTimeoutMs, idleMs, maxCalls, maxMemoryMb } = entry
  const { repeatable, maxRepeatsPerMinute, maxRequestsPerSecond, maxNotificationsPerSecond, revision } = entry
  const { project } = surroundings
  return {
    name: serverKey(name, project),
    ...(project !== undefined && { project }),
    ...(sharing === 'caller' && { perCaller: true }),
    source: `${place.file}:${place.line}`,
    launch: launch
      ? {
          ...launchFrom(launch, surroundingsOf(entry, surroundings)),
          ...(entry.mine === true && launch.type === 'stdio' && { mine: true }),
        }
      : { kind: 'unresolved', needs: needs.join('; '), written: writtenLaunch(entry) },
    ...(revision !== undefined && { revision }),
    ...(start === 'at once' && { eager: true }),
    ...(startTimeoutMs !== undefined && { startMs: startTimeoutMs }),
    ...(callTimeoutMs !== undefined && { callMs: callTimeoutMs }),
    ...(idleMs !== undefined && { idleMs }),
    ...(repeatable && { repeatable }),
    ...(maxRepeatsPerMinute !== undefined && { maxRepeatsPerMinute }),
    ...(maxRequestsPerSecond !== undefined && { maxRequestsPerSecond }),
    ...(maxNotificationsPerSecond !== undefined && { maxNotificationsPerSecond }),
    ...(maxCalls !== undefined && { maxCalls }),
    ...(maxMemoryMb !== undefined && { maxMemoryBytes: maxMemoryMb * 1024 ** 2 }),
  }
}

function writtenLaunch({ url, command = '', args = [], env = {}, headers = {} }: ServerEntry): WrittenLaunch {
  const isRemote = url !== undefined
  return {
    isRemote,
    command: isRemote ? url : showWords([command, ...args]),
    names: Object.keys(isRemote ? headers : env).sort(),
  }
}

/** A program gets the proxy and the certificates only where its entry says so. */
function surroundingsOf({ passNetwork }: ServerEntry, surroundings: ProgramSurroundings): ProgramSurroundings {
  if (passNetwork !== true) return surroundings
  return { ...surroundings, environment: { ...surroundings.environment, ...surroundings.network?.variables } }
}

function launchFrom(
  launch: NonNullable<ResolvedServer['launch']>,
  { environment, directory, network }: ProgramSurroundings,
): ServerSpec['launch'] {
  if (launch.type !== 'stdio') {
    const { url, headers, oauth } = launch
    const { options, problems: [problem] = [] } = network ?? {}
    // a server that is to be reached through a proxy must not be reached without it
    if (problem) {
      const written = { isRemote: true, command: url, names: Object.keys(headers).sort() }
      return { kind: 'unresolved', needs: describeProblem(problem), written }
    }
    return {
      kind: 'remote',
      url,
      headers,
      ...(oauth && { oauth: oauth as OAuthSettings }),
      ...(options && { network: options }),
    }
  }
  const { command, args, env, cwd = directory, sandbox } = launch
  return { kind: 'program', command, args, cwd, env, base: environment, ...(sandbox && { sandbox }) }
}
