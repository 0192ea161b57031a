import { canonicalJson } from '@trunkline/mcp'
import type { ToolClass } from '../../act/act.ts'
import type { ServerName } from '../../act/server-name.ts'
import type { Entry } from '../../catalogue/entry.ts'
import { lockedKinds } from '../../catalogue/tool-settings.ts'
import type { ServerEntry } from '../../config/schema/server-entry.ts'
import { lockedCommand } from './locked-server.ts'
import type { LockedServer, Lockfile } from './lockfile.ts'

/** A server and its offers at the moment. */
export interface ServerNow {
  readonly name: string
  readonly entry: ServerEntry
  /** The package it runs, with its version, where that is known. */
  readonly program?: string | undefined
  /** The digest of that package, as the registry gave it. */
  readonly integrity?: string | undefined
  /** Its offers, or the reason why they are not known. */
  readonly offers: readonly OfferNow[] | string
}

/** One thing that a server offers at the moment. */
export interface OfferNow {
  readonly kind: Entry['kind']
  readonly original: string
  readonly hash: string
  /** The class that the person chose, if it is known here. */
  readonly class?: ToolClass
}

/** Comparison of one part of a server with the lock. */
export interface LockFinding {
  readonly server: ServerName
  readonly file: string
  /** Line of the lock about it. */
  readonly line: number
  readonly part: 'server' | 'command' | 'program' | Entry['kind']
  readonly name: string
  readonly result: 'same' | 'changed' | 'new' | 'cannot tell'
  /** A sentence for a person. */
  readonly why: string
}

/** Compares the servers of one layer with its lock, part by part. */
export function compareWithLock(lock: Lockfile, servers: readonly ServerNow[]): readonly LockFinding[] {
  const [problem] = lock.problems
  if (problem) {
    const why = `${lock.file}:${problem.line}: ${problem.key === '' ? '' : `${problem.key} `}${problem.problem}`
    return servers.map(({ name }) => found(lock, name, { part: 'server', name, result: 'cannot tell', why }))
  }
  const gone = Object.keys(lock.servers)
    .filter((name) => !servers.some((server) => server.name === name))
    .map((name) =>
      found(lock, name, { part: 'server', name, result: 'changed', why: 'is locked and not configured any more' }),
    )
  return [...servers.flatMap((server) => compareServer(lock, server)), ...gone]
}

type Part = Pick<LockFinding, 'part' | 'name' | 'result' | 'why'>

function found({ file, lineOf }: Lockfile, server: ServerName, part: Part): LockFinding {
  const place = part.part in lockedKinds ? [lockedKinds[part.part as Entry['kind']], part.name] : []
  return { server, file, line: lineOf(['servers', server, ...place]), ...part }
}

function compareServer(lock: Lockfile, now: ServerNow): readonly LockFinding[] {
  const { name } = now
  const locked = Object.hasOwn(lock.servers, name) ? lock.servers[name] : undefined
  const finding = (part: Part) => found(lock, name, part)
  if (!locked) return [finding({ part: 'server', name, result: 'new', why: 'is not in the lock' })]
  const own = [compareCommand(locked, now), ...compareProgram(locked, now)]
  const { offers } = now
  if (typeof offers === 'string') {
    return [...own, { part: 'server' as const, name, result: 'cannot tell' as const, why: offers }].map(finding)
  }
  return [...own, ...compareOffers(locked, offers)].map(finding)
}

function compareCommand(locked: LockedServer, { name, entry }: ServerNow): Part {
  const { program: _, integrity: _d, ...rest } = locked
  const { tools: _t, prompts: _p, templates: _r, instructions: _i, skills: _s, ...command } = rest
  const isSame = canonicalJson(command) === canonicalJson(lockedCommand(entry))
  const why = isSame ? 'is the locked one' : 'its command or address is not the locked one'
  return { part: 'command', name, result: isSame ? 'same' : 'changed', why }
}

/** Compares the package that a server runs with the locked one. */
export function compareProgram(
  { program: locked, integrity: lockedDigest }: LockedServer,
  { name, program, integrity }: Pick<ServerNow, 'name' | 'program' | 'integrity'>,
): readonly Part[] {
  const isOther = integrity !== undefined && lockedDigest !== undefined && integrity !== lockedDigest
  if (program === undefined || (locked === program && !isOther)) return []
  if (locked === program) {
    const why = `runs ${program} with the integrity ${integrity}, and ${lockedDigest} is locked`
    return [{ part: 'program', name, result: 'changed', why }]
  }
  const why = `runs ${program}, and ${locked ?? 'no version'} is locked`
  return [{ part: 'program', name, result: 'changed', why }]
}

function* compareOffers(locked: LockedServer, offers: readonly OfferNow[]): Generator<Part> {
  for (const { kind, original: name, hash, class: decided } of offers) {
    const table: { readonly [name: string]: { readonly hash?: string; readonly class?: ToolClass } } =
      locked[lockedKinds[kind]] ?? {}
    const known = Object.hasOwn(table, name) ? table[name] : undefined
    const part = { part: kind, name }
    if (!known) yield { ...part, result: 'new', why: 'is not in the lock' }
    else if (known.hash !== hash) yield { ...part, result: 'changed', why: 'its definition is not the locked one' }
    else if (kind === 'tool' && decided !== undefined && known.class !== decided) {
      yield { ...part, result: 'changed', why: `is classed "${decided}" here, and "${known.class}" in the lock` }
    } else yield { ...part, result: 'same', why: 'is the locked one' }
  }
  for (const kind of Object.keys(lockedKinds) as Entry['kind'][]) {
    for (const name of Object.keys(locked[lockedKinds[kind]] ?? {})) {
      if (offers.some((offer) => offer.kind === kind && offer.original === name)) continue
      yield { part: kind, name, result: 'changed', why: 'is locked and not offered any more' }
    }
  }
}
