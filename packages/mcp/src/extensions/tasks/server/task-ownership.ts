import { LogReader } from '../../../cluster/log-reader.ts'
import type { ClusterMember } from '../../../cluster/member.ts'
import type { StoredTask, TaskLease, TaskStore } from '../../../stores/task-store.ts'
import type { TaskJournal } from './task-journal.ts'

/** A lease, and when it was asked for. */
export interface TakenLease extends TaskLease {
  /** Time as in `performance.now()`; the lease ends at the store no earlier than counted from here. */
  readonly sentAt: number
}

/** A run that may be told that its task has changed elsewhere. */
export interface OwnedRun {
  readonly id: string
  readonly journal: TaskJournal
  readonly incoming: { readonly signal: AbortSignal }
  /** Another process ended the task. */
  endedElsewhere(task: StoredTask): void
  /** The task is no longer stored. */
  expire(): void
  /** Another process may have the task. */
  lose(): void
}

/** Dependencies of an ownership. */
export interface OwnershipParts {
  readonly member: ClusterMember
  readonly store: Required<TaskStore>
}

/** The bell of the process that runs a task. */
export function ownerBell(id: string): string {
  return `task-${id}-owner`
}

/** Renewals in the time of a lease. */
const renewalsPerLease = 3

/** The right of this process to run one task: renewed while it runs, and over by the clock of this process when it cannot be. */
export class TaskOwnership {
  /** Number that the writes of this process carry. */
  readonly fence: number
  readonly #parts: OwnershipParts
  readonly #run: () => OwnedRun
  readonly #reader: LogReader
  #until: number
  /** Version of the task that was read last, and the newest one that is known of. */
  #read: number
  #newest: number
  #timer: ReturnType<typeof setTimeout> | undefined
  #isOver = false

  /** `run` is called after `begin`. */
  constructor({ fence, version, sentAt }: TakenLease, run: () => OwnedRun, parts: OwnershipParts) {
    this.fence = fence
    this.#read = version
    this.#newest = version
    this.#until = sentAt + parts.member.leaseMs
    this.#run = run
    this.#parts = parts
    this.#reader = new LogReader(() => this.#reread(), parts.member.failed)
  }

  /** Renews from now on, until the run ends. */
  begin(): void {
    const { id, incoming } = this.#run()
    const unlisten = this.#parts.member.onRing(ownerBell(id), () => void this.reread())
    incoming.signal.addEventListener('abort', () => {
      this.#isOver = true
      clearTimeout(this.#timer)
      unlisten()
    })
    this.#schedule()
  }

  /** False once another process may have the task: from then on nothing is written. */
  get holds(): boolean {
    return !this.#isOver && performance.now() < this.#until
  }

  /** Reads what others have written; resolves then, or when the store failed. */
  reread(): Promise<void> {
    return this.#isOver ? Promise.resolve() : this.#reader.wake()
  }

  #schedule(): void {
    const { leaseMs } = this.#parts.member
    const pauseMs = (leaseMs / renewalsPerLease) * (0.75 + Math.random() / 2)
    const leftMs = Math.max(0, this.#until - performance.now())
    this.#timer = setTimeout(() => this.#tick(), Math.min(pauseMs, leftMs))
    if (typeof this.#timer === 'object') this.#timer.unref()
  }

  #tick(): void {
    if (this.#isOver) return
    if (!this.holds) return this.#run().lose()
    void this.#renew()
    this.#schedule()
  }

  async #renew(): Promise<void> {
    const { member, store } = this.#parts
    const run = this.#run()
    const sentAt = performance.now()
    try {
      const version = await store.renew(run.id, this.fence, member.leaseMs)
      if (this.#isOver) return
      if (version === undefined) return run.lose()
      this.#until = Math.max(this.#until, sentAt + member.leaseMs)
      this.#newest = Math.max(this.#newest, version)
      if (this.#read !== this.#newest) await this.reread()
    } catch (error) {
      // tried again until the lease is over
      member.failed(error)
    }
  }

  async #reread(): Promise<boolean> {
    const { store } = this.#parts
    const run = this.#run()
    const version = this.#newest
    const task = await store.load(run.id)
    if (this.#isOver) return false
    if (!task) run.expire()
    else if (task.status !== 'working') run.endedElsewhere(task)
    else {
      run.journal.adopt(await store.entries(run.id))
      this.#read = version
    }
    return false
  }
}
