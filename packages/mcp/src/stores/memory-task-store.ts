import { McpError } from '../wire/errors.ts'
import { resolveKnownLimits } from '../wire/resolve-limits.ts'
import type {
  OwnedTask,
  StoredTask,
  TaskEntry,
  TaskLease,
  TaskOwner,
  TaskPlace,
  TaskStore,
  TaskUpdate,
} from './task-store.ts'

/** Limits of a {@link MemoryTaskStore}. */
export interface TaskStoreLimits {
  /** Tasks at the same time; further ones are refused. @default 20_000 */
  readonly maxTasks?: number
  /** Characters of all tasks together; more is refused. @default 268_435_456 */
  readonly maxChars?: number
}

/** The default limits of a store. */
export const taskStoreLimits = { maxTasks: 20_000, maxChars: 268_435_456 } as const satisfies TaskStoreLimits

/** Milliseconds between sweeps for expired tasks. */
const sweepMs = 60_000

interface Kept {
  task: StoredTask
  /** The task as JSON: kept as text, so that it costs what is counted. */
  text: string
  readonly entries: Map<string, string>
  size: number
  version: number
  fence: number
  owner: string | undefined
  /** Time at which the lease of the owner ends, as in `Date.now()`. */
  leaseUntil: number
}

const unclaimed = { version: 0, fence: 0, owner: undefined, leaseUntil: 0 } as const

/** A task store in memory; nothing survives the process. */
export class MemoryTaskStore implements TaskStore {
  readonly #limits: Required<TaskStoreLimits>
  readonly #kept = new Map<string, Kept>()
  readonly #perPrincipal = new Map<string | undefined, number>()
  #size = 0
  #sweptAt = 0

  constructor({ limits }: { readonly limits?: TaskStoreLimits } = {}) {
    this.#limits = resolveKnownLimits(taskStoreLimits, limits)
  }

  create(task: StoredTask, mostOfPrincipal: number, entries: readonly TaskEntry[] = []): boolean {
    const isFull = (): boolean => this.#count(task.principal) >= mostOfPrincipal
    if (isFull() || Date.now() - this.#sweptAt > sweepMs) this.#sweep()
    if (isFull()) return false
    const text = JSON.stringify(task)
    const texts = new Map(entries.map(({ kind, key, value }) => [`${kind} ${key}`, JSON.stringify(value)]))
    const size = [...texts].reduce((sum, [name, value]) => sum + name.length + value.length, text.length)
    this.#makeRoom(size, 1)
    this.#kept.set(task.id, { ...unclaimed, task: headOf(task), text, entries: texts, size })
    this.#perPrincipal.set(task.principal, this.#count(task.principal) + 1)
    this.#size += size
    return true
  }

  load(id: string): StoredTask | undefined {
    const kept = this.#find(id)
    return kept && JSON.parse(kept.text)
  }

  update(id: string, update: TaskUpdate, fence?: number): boolean {
    const kept = this.#find(id)
    if (kept?.task.status !== 'working' || !isAllowed(kept, fence)) return false
    const task = { ...JSON.parse(kept.text), ...update }
    const text = JSON.stringify(task)
    this.#grow(kept, text.length - kept.text.length)
    kept.text = text
    kept.task = headOf(task)
    kept.version += 1
    return true
  }

  write(id: string, { kind, key, value }: TaskEntry, fence?: number): boolean {
    const kept = this.#find(id)
    const name = `${kind} ${key}`
    const before = kept?.entries.get(name)
    if (kept?.task.status !== 'working' || !isAllowed(kept, fence)) return false
    if (before !== undefined && kind !== 'effect') return false
    const text = JSON.stringify(value)
    this.#grow(kept, text.length - (before === undefined ? -name.length : before.length))
    kept.entries.set(name, text)
    kept.version += 1
    return true
  }

  entries(id: string): readonly TaskEntry[] {
    const entries = this.#find(id)?.entries ?? []
    return [...entries].map(([name, text]) => {
      const at = name.indexOf(' ')
      return { kind: name.slice(0, at) as TaskEntry['kind'], key: name.slice(at + 1), value: JSON.parse(text) }
    })
  }

  list(principal: string | undefined, most: number, after?: TaskPlace): readonly StoredTask[] {
    return this.#page((task) => task.principal === principal, most, after)
  }

  unfinished(most: number, after?: TaskPlace): readonly StoredTask[] {
    return this.#page((task) => task.status === 'working', most, after)
  }

  createOwned(task: StoredTask, { mostOfPrincipal, entries, ...owner }: OwnedTask): TaskLease | undefined {
    return this.create(task, mostOfPrincipal, entries) ? this.claim(task.id, owner) : undefined
  }

  claim(id: string, { owner, leaseMs }: TaskOwner): TaskLease | undefined {
    const kept = this.#find(id)
    if (kept?.task.status !== 'working') return undefined
    const isOwned = kept.leaseUntil > Date.now()
    if (isOwned && kept.owner !== owner) return undefined
    if (!isOwned) kept.fence += 1
    kept.owner = owner
    kept.leaseUntil = Date.now() + leaseMs
    return { fence: kept.fence, version: kept.version }
  }

  renew(id: string, fence: number, leaseMs: number): number | undefined {
    const kept = this.#find(id)
    if (!kept || !isAllowed(kept, fence) || kept.leaseUntil <= Date.now()) return undefined
    kept.leaseUntil = Date.now() + leaseMs
    return kept.version
  }

  release(id: string, fence: number): boolean {
    const kept = this.#find(id)
    if (!kept || !isAllowed(kept, fence)) return false
    kept.owner = undefined
    kept.leaseUntil = 0
    return true
  }

  unowned(most: number, after?: TaskPlace): readonly StoredTask[] {
    const now = Date.now()
    return this.#page((task, { leaseUntil }) => task.status === 'working' && leaseUntil <= now, most, after)
  }

  drop(id: string): void {
    const kept = this.#kept.get(id)
    if (!kept) return
    const { principal } = kept.task
    this.#kept.delete(id)
    this.#size -= kept.size
    const left = this.#count(principal) - 1
    if (left === 0) this.#perPrincipal.delete(principal)
    else this.#perPrincipal.set(principal, left)
  }

  /** Number of tasks and of characters that are kept. */
  get live(): { readonly tasks: number; readonly size: number } {
    return { tasks: this.#kept.size, size: this.#size }
  }

  #count(principal: string | undefined): number {
    return this.#perPrincipal.get(principal) ?? 0
  }

  #find(id: string): Kept | undefined {
    const kept = this.#kept.get(id)
    if (!kept || !isExpired(kept.task)) return kept
    this.drop(id)
    return undefined
  }

  #page(
    wanted: (task: StoredTask, kept: Kept) => boolean,
    most: number,
    after: TaskPlace | undefined,
  ): readonly StoredTask[] {
    const found = [...this.#kept.values()].filter(
      (kept) => wanted(kept.task, kept) && !isExpired(kept.task) && isAfter(kept.task, after),
    )
    found.sort((one, other) => (isAfter(one.task, other.task) ? 1 : -1))
    return found.slice(0, most).map(({ text }) => JSON.parse(text))
  }

  #grow(kept: Kept, by: number): void {
    if (by > 0) this.#makeRoom(by, 0)
    kept.size += by
    this.#size += by
  }

  #makeRoom(size: number, tasks: number): void {
    const isFull = (): boolean =>
      this.#size + size > this.#limits.maxChars || this.#kept.size + tasks > this.#limits.maxTasks
    if (isFull()) this.#sweep()
    if (isFull())
      throw new McpError(
        'Busy',
        `Cannot store a task: ${this.#kept.size} tasks of ${this.#size} characters are stored already`,
      )
  }

  #sweep(): void {
    this.#sweptAt = Date.now()
    for (const [id, { task }] of this.#kept) if (isExpired(task)) this.drop(id)
  }
}

/** The facts of a task that have to be known without reading it. */
function headOf({ work: _, outcome: __, ...task }: StoredTask): StoredTask {
  return { ...task, work: {} }
}

/** True for a write without a fence, and for one with the fence of the owner. */
function isAllowed({ owner, fence: current }: Kept, fence: number | undefined): boolean {
  return fence === undefined || (owner !== undefined && fence === current)
}

function isExpired({ expiresAt }: StoredTask): boolean {
  return expiresAt !== null && expiresAt <= Date.now()
}

function isAfter({ createdAt, id }: TaskPlace, place: TaskPlace | undefined): boolean {
  if (place === undefined) return true
  return createdAt === place.createdAt ? id > place.id : createdAt > place.createdAt
}
