import { canonicalJson } from '@trunkline/mcp'
import { slugOf } from '../../act/server-name.ts'
import type { ServerEntry } from '../../config/schema/server-entry.ts'
import type { Candidate } from '../import/candidates.ts'
import { identityOf } from '../import/same-server.ts'

/** The servers that the host runs, by name, with secrets in the place of references to them. */
export type HostServers = ReadonlyMap<string, ServerEntry>

/** An entry of a client whose server the host runs too. */
export interface MatchedEntry {
  /** Its name in the client. */
  readonly name: string
  /** Its name in the host. */
  readonly server: string
}

/** An entry of a client that does not go through the host. */
export interface OutsideEntry {
  readonly name: string
  /** A clause for a person, such as `Trunkline has no server that runs this`. */
  readonly why: string
}

/** The entries of a client, divided by whether they can go through the host. */
export interface MatchedEntries {
  readonly through: readonly MatchedEntry[]
  readonly outside: readonly OutsideEntry[]
}

/**
 * Finds the host's server for each entry by its program, as `init` joined them. A name says nothing: two clients may
 * give one name to servers of different folders, and two names to one server.
 */
export function matchEntries(candidates: readonly Candidate[], file: string, servers: HostServers): MatchedEntries {
  const found = candidates.map((candidate) => ({ name: candidate.origin.name, ...matchOf(candidate, file, servers) }))
  return {
    through: found.flatMap(({ name, server }) => (server === undefined ? [] : [{ name, server }])),
    outside: found.flatMap(({ name, why }) => (why === undefined ? [] : [{ name, why }])),
  }
}

interface Match {
  readonly server?: string
  readonly why?: string
}

function matchOf({ entry, origin, project }: Candidate, file: string, servers: HostServers): Match {
  if (origin.file !== file) return { why: `it stands in ${origin.file}, which "install" leaves as it is` }
  if (project !== undefined) return { why: `it counts in ${project} alone` }
  if (entry.disabled === true) return { why: 'it is disabled there' }
  const identity = identityOf(entry)
  const same = [...servers].filter(([, one]) => identityOf(one) === identity)
  const [name, found] = same.find(([one]) => one === slugOf(origin.name)) ?? same[0] ?? []
  if (name === undefined) return { why: whyNone(origin.name, entry, servers) }
  if (found?.disabled === true) return { why: `Trunkline has it disabled, as "${name}"` }
  return { server: name }
}

function whyNone(name: string, entry: ServerEntry, servers: HostServers): string {
  const slug = slugOf(name)
  const namesake = servers.get(slug)
  if (!namesake) return 'Trunkline has no server that runs this; "trunkline init" takes it over'
  const differences = differencesOf(entry, namesake).join(' and ')
  return `the "${slug}" of Trunkline has ${differences}; "trunkline init" takes it over under another name`
}

/** Differences of two entries, without values: they may hold secrets. */
function differencesOf(one: ServerEntry, other: ServerEntry): readonly string[] {
  const parts: readonly (readonly [string, (entry: ServerEntry) => unknown])[] = [
    ['another address', ({ url = '' }) => url],
    ['another command', ({ command = '' }) => command],
    ['other arguments', ({ args = [] }) => args],
    ['another folder', ({ cwd = '' }) => cwd],
    ['other variables', ({ env = {}, envFile = '' }) => [env, envFile]],
    ['other headers', ({ headers = {} }) => headers],
    ['another transport', ({ type = '' }) => type],
  ]
  return parts.flatMap(([what, of]) => (canonicalJson(of(one)) === canonicalJson(of(other)) ? [] : [what]))
}
