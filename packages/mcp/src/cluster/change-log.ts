import type { ClusterStores } from '../stores/cluster.ts'
import { LogReader } from './log-reader.ts'

/** A change by its number in the log. */
export interface NumberedChange {
  readonly number: number
  readonly change: unknown
}

/** Receives the changes of all processes. */
export interface ChangeListener {
  /** A change, in the order of the log. */
  changed(change: unknown, number: number): void
  /** Some changes are lost: everything may have changed up to this number. */
  lost(number: number): void
}

/** The process that reads and writes the log. */
export interface ChangeLogMember {
  readonly stores: ClusterStores
  /** Name of the store's present history; empty before the cluster was joined. */
  readonly generation: string
  failed(error: unknown): void
  settled(): Promise<void>
  onRing(name: string, handler: () => void): unknown
  onPoll(handler: () => void): unknown
  onView(handler: () => void): unknown
}

const bell = 'changes'
/** Changes that wait for the store. */
const mostWaiting = 1_000

/** The log of changes of a server: written by every process, and read by every process in the same order. */
export class ChangeLog {
  readonly #member: ChangeLogMember
  readonly #reader: LogReader
  readonly #writer: LogReader
  /** Changes that are not stored yet, by what they are about. */
  readonly #waiting = new Map<string, unknown>()
  #listener: ChangeListener | undefined
  /** The history of the store that is read; undefined before the first read. */
  #generation: string | undefined
  #last = 0

  constructor(member: ChangeLogMember) {
    this.#member = member
    this.#reader = new LogReader(() => this.#read(), member.failed)
    this.#writer = new LogReader(() => this.#write(), member.failed)
    member.onRing(bell, this.#look)
    member.onPoll(this.#look)
    member.onView(this.#look)
  }

  /** Number of the last change that this process has heard of. */
  get last(): number {
    return this.#last
  }

  /** The place up to which this process has read, to be stored and compared later. */
  get place(): string {
    return `${this.#generation ?? ''}.${this.#last}`
  }

  /** Resolves when this process has read the log to its end. */
  read(): Promise<void> {
    return this.#reader.wake()
  }

  listen(listener: ChangeListener): void {
    this.#listener = listener
  }

  /** Stores a change, of which every process is told, this one included; of those with one key the latest waits. */
  publish(key: string, change: unknown): void {
    if (this.#waiting.has(key) || this.#waiting.size < mostWaiting) this.#waiting.set(key, change)
    queueMicrotask(() => void this.#writer.wake())
  }

  /** The number in a place of this history; undefined for a place of another one. */
  numberAt(place: string | undefined): number | undefined {
    const dot = place?.lastIndexOf('.') ?? -1
    return place !== undefined && place.slice(0, dot) === this.#generation ? Number(place.slice(dot + 1)) : undefined
  }

  /** The changes after a number; undefined if some are lost. */
  async after(number: number): Promise<readonly NumberedChange[] | undefined> {
    const { events } = this.#member.stores
    const found = await events.after(this.#name, number)
    if (found) return found.map((event) => ({ number: event.number, change: JSON.parse(event.data) }))
    // a log that was never written to is unknown, and nothing of it is lost
    return number === 0 && !(await events.head(this.#name)) ? [] : undefined
  }

  get #name(): string {
    return `changes-${this.#member.generation}`
  }

  readonly #look = (): void => {
    if (this.#member.generation === '') return
    void this.#reader.wake()
    if (this.#waiting.size > 0) void this.#writer.wake()
  }

  async #write(): Promise<boolean> {
    const [first] = this.#waiting
    if (first === undefined || this.#member.generation === '') return false
    const [key, change] = first
    const { events, bell: bells } = this.#member.stores
    this.#waiting.delete(key)
    try {
      await events.appendNext(this.#name, JSON.stringify(change))
    } catch (error) {
      // it is stored later; twice tells no more than once
      if (!this.#waiting.has(key)) this.#waiting.set(key, change)
      throw error
    }
    void this.#reader.wake()
    await bells.ring([bell])
    return true
  }

  async #read(): Promise<boolean> {
    const { generation, stores } = this.#member
    if (this.#generation !== generation) return this.#begin(generation)
    const changes = await this.after(this.#last)
    if (!changes) return this.#skipTo((await stores.events.head(this.#name))?.last ?? 0)
    // a subscription that was answered before a change is known before the change is announced
    if (changes.length > 0) await this.#member.settled()
    for (const { number, change } of changes) {
      this.#last = number
      this.#listener?.changed(change, number)
    }
    return changes.length > 0
  }

  /** Begins to read a history of the store, of which nothing is known yet. */
  async #begin(generation: string): Promise<boolean> {
    const isFirst = this.#generation === undefined
    const head = await this.#member.stores.events.head(this.#name)
    this.#generation = generation
    this.#last = head?.last ?? 0
    // nothing was watched before the first one
    if (!isFirst) this.#listener?.lost(this.#last)
    return true
  }

  #skipTo(number: number): boolean {
    this.#last = number
    this.#listener?.lost(number)
    return false
  }
}
