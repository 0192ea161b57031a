import { LogReader } from '../../../cluster/log-reader.ts'
import type { ClusterMember, ProcessWork } from '../../../cluster/member.ts'
import type { OwnedTask, StoredTask, TaskOwner, TaskStore } from '../../../stores/task-store.ts'
import { McpError } from '../../../wire/errors.ts'
import { isObject } from '../../../wire/messages.ts'
import { ownerBell, type TakenLease } from './task-ownership.ts'
import type { TaskRun } from './task-run.ts'

/** Rung when a task was given back. */
const releasedBell = 'tasks'

/** The bell of the processes that watch a task. */
function watcherBell(id: string): string {
  return `task-${id}`
}

/** The tasks of all processes of a cluster, as one of them takes, watches and hands them on. */
export class SharedTasks implements ProcessWork {
  readonly member: ClusterMember
  readonly store: Required<TaskStore>
  readonly #running: () => readonly TaskRun[]
  /** Looks at watched tasks, by id. */
  readonly #watched = new Map<string, () => Promise<void>>()
  /** Tasks that may have been stored although that failed. */
  readonly #unwanted = new Set<string>()
  readonly #claimer: LogReader
  #claim: (() => Promise<void>) | undefined
  #isEnding = false

  constructor(member: ClusterMember, running: () => readonly TaskRun[]) {
    this.member = member
    this.store = tasksOf(member)
    this.#running = running
    this.#claimer = new LogReader(async () => {
      await this.#cancelUnwanted()
      if (!this.#isEnding) await this.#claim?.()
      return false
    }, member.failed)
    const watcher = new LogReader(async () => {
      for (const look of [...this.#watched.values()]) await look()
      return false
    }, member.failed)
    member.onRing(releasedBell, () => void this.#claimer.wake())
    member.onView(() => {
      void this.#claimer.wake()
      if (this.#watched.size > 0) void watcher.wake()
    })
    member.addWork(this)
  }

  /** Takes tasks that no process has, from now on, as `claim` finds them. */
  claimWith(claim: () => Promise<void>): void {
    this.#claim = claim
    // before the process has joined, the first beat claims
    if (this.member.generation !== '') void this.#claimer.wake()
  }

  /** Takes a task, unless another process has it, or this one ends: it may have begun to look for tasks before it gave its own back. */
  async take(id: string): Promise<TakenLease | undefined> {
    if (this.#isEnding) return undefined
    const lease = await this.#taken((owner) => this.store.claim(id, owner))
    if (!lease || !this.#isEnding) return lease
    await this.#giveBack(id, lease.fence)
    return undefined
  }

  /** Stores a new task that belongs to this process; undefined if its principal has too many. */
  async create(task: StoredTask, conditions: Omit<OwnedTask, keyof TaskOwner>): Promise<TakenLease | undefined> {
    try {
      return await this.#taken((owner) => this.store.createOwned(task, { ...conditions, ...owner }))
    } catch (error) {
      // it may be stored, and its caller gets an error
      this.#unwanted.add(task.id)
      throw error
    }
  }

  /** Tells those that watch a task that it has changed. */
  changed(id: string): void {
    void this.member.ring([watcherBell(id)])
  }

  /** Tells the process that runs a task, and those that watch it, that something was stored. */
  stored(id: string): void {
    void this.member.ring([ownerBell(id), watcherBell(id)])
  }

  /** Calls back when a task may have changed; the returned function ends it. */
  watch(id: string, look: () => Promise<void>): () => void {
    const reader = new LogReader(async () => {
      await look()
      return false
    }, this.member.failed)
    this.#watched.set(id, () => reader.wake())
    const unlisten = this.member.onRing(watcherBell(id), () => void reader.wake())
    return () => {
      this.#watched.delete(id)
      unlisten()
    }
  }

  /** Gives back tasks that others can run again, each when no effect of it is under way, and waits for the end of the others. */
  async finish(): Promise<void> {
    this.#isEnding = true
    await Promise.all(
      this.#running().map(async (run) => {
        if (!run.isResumable) return run.ended
        await run.finishEffects()
        await this.#release(run)
      }),
    )
  }

  /** Gives back all tasks: others run them again, or end them with the reason. */
  async leave(): Promise<void> {
    this.#isEnding = true
    await Promise.all(this.#running().map((run) => this.#release(run)))
  }

  async #cancelUnwanted(): Promise<void> {
    for (const id of this.#unwanted) {
      await this.store.update(id, { status: 'cancelled', updatedAt: Date.now() })
      this.#unwanted.delete(id)
    }
  }

  async #release(run: TaskRun): Promise<void> {
    run.leave()
    if (run.fence !== undefined) await this.#giveBack(run.id, run.fence)
  }

  async #giveBack(id: string, fence: number): Promise<void> {
    try {
      if (await this.store.release(id, fence)) await this.member.ring([releasedBell])
    } catch (error) {
      // its lease ends by itself
      this.member.failed(error)
    }
  }

  async #taken(take: (owner: TaskOwner) => ReturnType<Required<TaskStore>['claim']>): Promise<TakenLease | undefined> {
    const sentAt = performance.now()
    const lease = await take({ owner: this.member.epoch, leaseMs: this.member.leaseMs })
    return lease && { ...lease, sentAt }
  }
}

const needed = [
  'create',
  'load',
  'update',
  'write',
  'entries',
  'list',
  'createOwned',
  'claim',
  'renew',
  'release',
  'unowned',
] as const satisfies readonly (keyof TaskStore)[]

/** The tasks among the stores of a cluster; refuses those that have none. */
function tasksOf({ stores: { engine, tasks } }: ClusterMember): Required<TaskStore> {
  const refuse = (why: string): never => {
    throw new McpError('Misuse', `Cannot serve in a cluster: ${why}`)
  }
  if (tasks === undefined)
    return refuse(
      `${engine} keeps no tasks, because a failover may lose what was acknowledged; use PostgreSQL, or leave tasks() out`,
    )
  const missing = needed.find((name) => !isObject(tasks) || typeof tasks[name] !== 'function')
  if (missing !== undefined)
    return refuse(`"tasks" has no method "${missing}", which several processes need; it works in one process`)
  return tasks
}
