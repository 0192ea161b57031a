import type { Act } from '../act/act.ts'
import type { ServerKey } from '../act/server-key.ts'
import type { Entry } from '../catalogue/entry.ts'
import type { Store } from '../store/store.ts'
import { TaintTable } from '../store/tables/taint-table.ts'
import {
  type DataMarks,
  dangerous,
  isOnlySource,
  type Outlet,
  sendsOut,
  type Taint,
  type TaintMode,
  type TaintSource,
  taintSentence,
} from './taint.ts'
import { TaintHeirs } from './taint-heirs.ts'

export interface TaintsOptions {
  /** Marks of a server's data. */
  markOf(server: ServerKey): DataMarks | undefined
  /** Destination of an act's arguments. */
  outletOf(act: Act, entry?: Entry): Pick<Outlet, 'isRemote' | 'isOpenWorld'>
  /** Time that data read count, in milliseconds. @default 8 hours */
  readonly maxAgeMs?: number
}

/** Data that a principal has read in a project. */
export interface TaintedPrincipal extends TaintSource {
  readonly principalId: string
  readonly project: string | undefined
  readonly until: number
}

type Reader = Pick<Act, 'principal' | 'project'>

const usualAgeMs = 8 * 3_600_000
/** Precision of the last reading's time; a finer one would be a write for every call. */
const noteEveryMs = 60_000

/** Data that principals have read. It ends by time or by a person, never by reconnecting or a restart. */
export class Taints {
  mode: TaintMode = 'default'
  readonly #store: Store
  readonly #table: TaintTable
  readonly #options: TaintsOptions
  readonly #maxAgeMs: number
  // by principal, then by project and server: data read in one project count in all of them
  readonly #read = new Map<string, Map<string, TaintSource>>()
  readonly #heirs: TaintHeirs

  constructor(store: Store, options: TaintsOptions) {
    this.#store = store
    this.#table = new TaintTable(store)
    this.#options = options
    this.#maxAgeMs = options.maxAgeMs ?? usualAgeMs
    this.#heirs = new TaintHeirs(store, this.#maxAgeMs)
    for (const { principal, project, server, data, at } of this.#table.sources())
      this.#remember(principal, project, { server, data: data as TaintSource['data'], at })
  }

  /** Marks of a server's data. */
  markOf(server: ServerKey): DataMarks | undefined {
    return this.#options.markOf(server)
  }

  /** Notes that a principal has read from a server; resolves when it is stored, undefined if there is nothing to store. */
  note(reader: Reader, server: ServerKey): Promise<void> | undefined {
    const data = this.markOf(server) ?? (this.mode === 'strict' ? 'unmarked' : undefined)
    if (data === undefined || this.mode === 'off') return undefined
    const { principal, project = '' } = reader
    const known = this.#read.get(principal.id)?.get(readIn(project, server))
    const at = Date.now()
    if (known?.data === data && at - known.at < noteEveryMs) return undefined
    this.#remember(principal.id, project, { server, data, at })
    return this.#store.batch(() => {
      this.#forgetOld(at)
      this.#table.note({ principal: principal.id, project, server, data, at })
    })
  }

  /** Reason why an act must be asked about; undefined if it need not. `entry` is the offer that was found for it. */
  of(act: Act, entry?: Entry): Taint | undefined {
    if (this.#read.size === 0 || this.mode === 'off') return undefined
    const since = Date.now() - this.#maxAgeMs
    const sources = dangerous(this.mode, act.serverKey, this.#readBy(act.principal.id, since))
    if (sources.length === 0) return undefined
    const isSource = isOnlySource(this.mode, act.serverKey, sources)
    const mark = this.markOf(act.serverKey)
    if (!sendsOut(act, { mark, isSource, ...this.#options.outletOf(act, entry) })) return undefined
    const unasked = sources.filter(({ server }) => !this.#isPassed(act, server, since))
    if (unasked.length === 0) return undefined
    return {
      sources: [...new Set(unasked.map(({ server }) => server))].sort(),
      isSource,
      why: taintSentence(this.mode, act.principal.name, sources),
    }
  }

  /** Counts everything that a principal reads for another one, too, which a process of the first one started. */
  inherit(heir: string, ancestors: ReadonlySet<string>): Promise<void> {
    return this.#heirs.add(heir, ancestors)
  }

  /** Data that a principal and those it inherits from have read. */
  #readBy(principal: string, since: number): readonly TaintSource[] {
    const readers = this.#heirs.ancestorsOf(principal, since)
    return [principal, ...readers]
      .flatMap((one) => [...(this.#read.get(one)?.values() ?? [])])
      .filter(({ at }) => at > since)
  }

  /** Notes that a person let this act run, so that it is not asked about again for these sources and this target. */
  pass(act: Act, { sources }: Taint): Promise<void> {
    return this.#store.durable(() => {
      for (const source of sources) this.#table.pass(passOf(act, source), Date.now())
    })
  }

  /** Data that have been read and still count. */
  all(): readonly TaintedPrincipal[] {
    const rows = this.#table.sourcesSince(Date.now() - this.#maxAgeMs)
    return rows.map(({ principal, project, server, data, at }) => ({
      principalId: principal,
      project: project === '' ? undefined : project,
      server,
      data: data as TaintSource['data'],
      at,
      until: at + this.#maxAgeMs,
    }))
  }

  /** Removes the taint of one principal or of all, as a person decided. */
  async forget(principalId?: string): Promise<number> {
    let removed = 0
    await this.#store.durable(() => {
      removed = this.#table.remove(principalId)
    })
    await this.#heirs.forget(principalId)
    if (principalId === undefined) this.#read.clear()
    else this.#read.delete(principalId)
    return removed
  }

  #remember(principal: string, project: string, source: TaintSource): void {
    const read = this.#read.get(principal) ?? new Map<string, TaintSource>()
    read.set(readIn(project, source.server), source)
    this.#read.set(principal, read)
  }

  #isPassed(act: Act, source: string, since: number): boolean {
    return this.#table.isPassed(passOf(act, source), since)
  }

  /** Called before a new one is kept, so that neither the tables nor the memory grow with time. */
  #forgetOld(now: number): void {
    const since = now - this.#maxAgeMs
    this.#table.forgetUpTo(since)
    for (const [key, read] of this.#read) {
      for (const [place, { at }] of read) if (at <= since) read.delete(place)
      if (read.size === 0) this.#read.delete(key)
    }
  }
}

function readIn(project: string, server: string): string {
  return `${server} ${project}`
}

function passOf(act: Act, source: string) {
  const { principal, project = '' } = act
  return { principal: principal.id, project, source, target: targetOf(act) }
}

/** A tool is a target of its own; all addresses of a server's resources are one. */
function targetOf({ server, kind, target }: Act): string {
  return kind === 'read' ? `${server}:@read` : `${server}:${target}`
}
