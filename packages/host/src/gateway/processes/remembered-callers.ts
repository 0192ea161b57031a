import { basename } from 'node:path'
import type { Store } from '../../store/store.ts'
import { type CallerProcessRow, CallerProcessTable } from '../../store/tables/caller-process-table.ts'
import { bootId, type SeenProcess, seeProcess, withAncestors } from './process-table.ts'

/** A process that called, or that started one which did. */
export type RememberedCaller = CallerProcessRow

export interface RememberedCallersOptions {
  /** Milliseconds that a caller is remembered after it was last seen, as long as a session grant holds. @default 8 hours */
  readonly holdsMs?: number
  /** Processes that are remembered; beyond it those that were seen longest ago are forgotten. @default 2_000 */
  readonly maxProcesses?: number
}

const defaults = { holdsMs: 8 * 3_600_000, maxProcesses: 2_000 } as const satisfies RememberedCallersOptions
/** Precision of "last seen"; a finer one would be a write for every connection. */
const seenEveryMs = 60_000

/**
 * The processes that called lately. They are kept in the store, so that a host that is started anew knows them, and a
 * process that closed its connection is still a caller.
 */
export class RememberedCallers {
  readonly #store: Store
  readonly #table: CallerProcessTable
  readonly #options: Required<RememberedCallersOptions>
  /** By process number; a number has several rows when it called as several principals. */
  readonly #byPid = new Map<number, RememberedCaller[]>()
  #size = 0

  constructor(store: Store, options: RememberedCallersOptions = {}) {
    this.#store = store
    this.#table = new CallerProcessTable(store)
    this.#options = { ...defaults, ...options }
  }

  get size(): number {
    return this.#size
  }

  /** Reads the callers of an earlier host; processes from before the last boot are forgotten. */
  async load(): Promise<void> {
    const boot = await bootId()
    const oldest = Date.now() - this.#options.holdsMs
    await this.#store.batch(() => this.#table.keepOnly(boot, oldest))
    for (const one of this.#table.all()) this.#keep(one)
  }

  /** Remembers the processes of a caller; resolves when the end of the host would not forget them. */
  async remember(chain: readonly SeenProcess[], principal: string): Promise<void> {
    const boot = await bootId()
    const seenAt = Date.now()
    const news = chain
      .map(({ pid, startedAt, group, session, words }) => ({
        ...{ pid, startedAt, principal, seenAt },
        name: basename(words[0] ?? ''),
        leadsGroup: group === pid,
        leadsSession: session === pid,
      }))
      .filter((one) => !this.#isFresh(one))
    if (news.length === 0) return
    for (const one of news) this.#keep(one)
    const forgotten = this.#overflow()
    await this.#store.batch(() => {
      this.#table.put(boot, news)
      this.#table.remove(forgotten)
    })
  }

  /**
   * The remembered caller that a process is or descends from: by its parents as far as they still run, and by its process
   * group and session where a parent ended meanwhile.
   */
  async above(pid: number): Promise<RememberedCaller | undefined> {
    if (this.#size === 0) return undefined
    return this.aboveAny(await withAncestors(pid))
  }

  /** The same of a process whose ancestors are known, itself first. */
  async aboveAny(line: readonly SeenProcess[]): Promise<RememberedCaller | undefined> {
    for (const seen of line) {
      const found = this.#current(seen.pid).find((one) => one.startedAt === seen.startedAt)
      if (found) return found
      const led = await this.#leaderOf(seen)
      if (led) return led
    }
    return undefined
  }

  /** The principals that a process or one of its ancestors called as. */
  principalsAbove(line: readonly SeenProcess[]): ReadonlySet<string> {
    const called = line.flatMap(({ pid, startedAt }) => this.#current(pid).filter((one) => one.startedAt === startedAt))
    return new Set(called.map(({ principal }) => principal))
  }

  async #leaderOf({ group, session }: SeenProcess): Promise<RememberedCaller | undefined> {
    const led = [
      ...this.#current(group).filter(({ leadsGroup }) => leadsGroup),
      ...this.#current(session).filter(({ leadsSession }) => leadsSession),
    ]
    for (const one of led) {
      // a number that was given anew leads another group
      const now = await seeProcess(one.pid)
      if (!now || now.startedAt === one.startedAt) return one
    }
    return undefined
  }

  #current(pid: number): readonly RememberedCaller[] {
    const oldest = Date.now() - this.#options.holdsMs
    return (this.#byPid.get(pid) ?? []).filter(({ seenAt }) => seenAt >= oldest)
  }

  #isFresh(one: RememberedCaller): boolean {
    return this.#current(one.pid).some((known) => isSame(known, one) && one.seenAt - known.seenAt < seenEveryMs)
  }

  #keep(one: RememberedCaller): void {
    const others = (this.#byPid.get(one.pid) ?? []).filter((known) => !isSame(known, one))
    this.#size += 1 + others.length - (this.#byPid.get(one.pid)?.length ?? 0)
    // the last in the order of the map was seen last
    this.#byPid.delete(one.pid)
    this.#byPid.set(one.pid, [...others, one])
  }

  #overflow(): readonly RememberedCaller[] {
    const forgotten: RememberedCaller[] = []
    for (const [pid, rows] of this.#byPid) {
      if (this.#size <= this.#options.maxProcesses) break
      this.#byPid.delete(pid)
      this.#size -= rows.length
      forgotten.push(...rows)
    }
    return forgotten
  }
}

function isSame(one: RememberedCaller, other: RememberedCaller): boolean {
  return one.pid === other.pid && one.startedAt === other.startedAt && one.principal === other.principal
}
