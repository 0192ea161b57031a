import { canonicalJson } from '@trunkline/mcp'
import { slugOf } from '../../act/server-name.ts'
import type { ConfigProblem } from '../../config/problem.ts'
import { dataMarks, type ServerEntry } from '../../config/schema/server-entry.ts'
import type { Candidate } from './candidates.ts'
import type { Origin, OriginClient, PlannedRule, Skipped } from './import-plan.ts'
import { identityOf } from './same-server.ts'

/** A server of one or more clients. */
export interface JoinedServer {
  readonly name: string
  readonly entry: ServerEntry
  readonly project: string | undefined
  readonly ticked: boolean
  readonly origins: readonly Origin[]
  readonly clients: readonly OriginClient[]
}

/** The servers without repetition, their rules, and the entries that were skipped or left. */
export interface JoinedServers {
  readonly servers: readonly JoinedServer[]
  readonly rules: readonly PlannedRule[]
  readonly skipped: readonly Skipped[]
  readonly left: readonly ConfigProblem[]
}

/** Makes one server of entries that are equal, and gives different ones of the same name names of their own. */
export function joinCandidates(
  candidates: readonly Candidate[],
  present: ReadonlyMap<string, ServerEntry>,
): JoinedServers {
  const groups = new Map<string, Candidate[]>()
  for (const candidate of candidates) {
    const key = `${identityOf(candidate.entry)} ${candidate.project ?? ''}`
    groups.set(key, [...(groups.get(key) ?? []), candidate])
  }
  const known = new Map([...present].map(([name, entry]) => [identityOf(entry), name]))
  const taken = new Set(present.keys())
  const skipped: Skipped[] = []
  const results = [...groups.values()].flatMap((group) => {
    const [first] = group
    const already = first && known.get(identityOf(first.entry))
    if (first === undefined) return []
    if (already === undefined) return [joinGroup(group, freeName(first, taken))]
    skipped.push(...group.map(({ origin }) => ({ origin, why: `it is here already as "${already}"` })))
    return []
  })
  return {
    servers: results.map(({ server }) => server),
    rules: results.flatMap(({ rules }) => rules),
    left: results.flatMap(({ left }) => left),
    skipped,
  }
}

function freeName({ origin: { name, client } }: Candidate, taken: Set<string>): string {
  const slug = slugOf(name)
  const tries = [
    slug,
    slugOf(`${slug} ${client}`),
    ...Array.from({ length: 100 }, (_, at) => slugOf(`${slug.slice(0, 20)} ${at + 2}`)),
  ]
  const free = tries.find((one) => !taken.has(one)) ?? slugOf(`${slug}${taken.size}`)
  taken.add(free)
  return free
}

interface Group {
  readonly server: JoinedServer
  readonly rules: readonly PlannedRule[]
  readonly left: readonly ConfigProblem[]
}

function joinGroup(group: readonly Candidate[], name: string): Group {
  const [first] = group as [Candidate]
  const { disabled: _off, tools: _tools, ...entry } = first.entry
  const sameTools = new Set(group.map((one) => canonicalJson(one.entry.tools ?? {}))).size === 1
  const server = {
    name,
    entry: {
      ...entry,
      ...longest(group, 'callTimeoutMs'),
      ...longest(group, 'startTimeoutMs'),
      ...joinedMarks(group),
      ...(group.every((one) => one.entry.disabled) && { disabled: true }),
      ...(sameTools && first.entry.tools !== undefined && { tools: first.entry.tools }),
    },
    project: first.project,
    ticked: group.some(({ ticked }) => ticked),
    origins: group.map(({ origin }) => origin),
    clients: [...new Set(group.map(({ origin }) => origin.client))],
  }
  if (sameTools) return { server, rules: [], left: [] }
  return { server, rules: group.flatMap((one) => exceptRules(one, name)), left: group.flatMap(onlyNotes) }
}

function longest(group: readonly Candidate[], key: 'callTimeoutMs' | 'startTimeoutMs'): ServerEntry {
  const limits = group.flatMap(({ entry }) => entry[key] ?? [])
  return limits.length === 0 ? {} : { [key]: Math.max(...limits) }
}

/** Marks of the data in any of the files: one that a file lacks does not take it away. */
function joinedMarks(group: readonly Candidate[]): ServerEntry {
  const written = group.flatMap(({ entry }) => entry.data ?? [])
  const data = dataMarks.filter((mark) => written.includes(mark))
  const [one] = data
  return one === undefined ? {} : { data: data.length === 1 ? one : data }
}

/** Tools that one client hides and another does not are refused to the one. */
function exceptRules({ entry, origin, project }: Candidate, server: string): PlannedRule[] {
  return (entry.tools?.except ?? []).map((tool) => ({
    effect: 'deny',
    server,
    rule: { match: `${server}:${tool}`, principal: origin.client },
    project,
    place: { file: origin.file, line: origin.line },
  }))
}

function onlyNotes({ entry, origin }: Candidate): ConfigProblem[] {
  if (entry.tools?.only === undefined) return []
  const problem = 'offers only some tools there, while another client offers others'
  return [{ file: origin.file, line: origin.line, key: origin.name, problem, fix: 'make a profile for this client' }]
}
