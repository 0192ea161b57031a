import { LogReader } from '../../../cluster/log-reader.ts'
import type { ClusterMember } from '../../../cluster/member.ts'
import type { AppendRefusal, StoredEvent } from '../../../stores/event-store.ts'
import { eventsIn } from './event-log.ts'
import type { StreamFollowers } from './stream-followers.ts'

export interface SharedEventLogParts {
  /** The name of the stream in the store. */
  readonly key: string
  readonly member: ClusterMember
  /** Told of each event, for processes at which the client resumed the stream. */
  readonly followers: StreamFollowers
}

/** Milliseconds that the store may take for an event; those after it are sent without an id. */
const mostStoringMs = 2_000

/** The events of the stream of a call, which only this process writes; each is stored before it is sent. */
export class SharedEventLog {
  readonly #parts: SharedEventLogParts
  #last = 0
  #storing: Promise<unknown> = Promise.resolve()
  #state: 'stored' | 'not stored' | 'closed elsewhere' = 'stored'
  /** True once the answer was not stored in time. */
  #isLate = false

  constructor(parts: SharedEventLogParts) {
    this.#parts = parts
  }

  /** The number of the last event. */
  get last(): number {
    return this.#last
  }

  /** Stores an event; without a number when the store is slow, undefined when another process has closed the stream. */
  append(data: string, closes = false): Promise<StoredEvent | undefined> {
    const event = { number: ++this.#last, data }
    const storing = this.#storing.then(() => this.#store(event, closes))
    this.#storing = storing
    return storing
  }

  /** The events after a number; undefined when some are missing. */
  async after(number: number): Promise<readonly StoredEvent[] | undefined> {
    // one that comes meanwhile may not be stored when they are read, and is sent after them
    const last = this.#last
    await this.#storing
    // where only the answer is missed, the client comes again until it is stored
    const upTo = this.#isLate ? number : last
    return eventsIn(this.#parts.member.stores.events, { stream: this.#parts.key, after: number, upTo })
  }

  async #store(event: StoredEvent, closes: boolean): Promise<StoredEvent | undefined> {
    const { key, member, followers } = this.#parts
    if (this.#state === 'stored') {
      const refusal = await this.#append(event, closes)
      if (refusal === 'closed' || refusal === 'writer') this.#state = 'closed elsewhere'
      else if (refusal) this.#state = 'not stored'
      else followers.grew(key, member)
    }
    if (this.#state === 'closed elsewhere') return undefined
    if (this.#state === 'not stored' && closes) this.#storeLater(event.data)
    return this.#state === 'stored' ? event : { number: 0, data: event.data }
  }

  /** Stores the answer when the store is back: a client that has left looks for it, perhaps at another process. */
  #storeLater(data: string): void {
    const { member } = this.#parts
    this.#isLate = true
    const attempts = new LogReader(async () => {
      const isOver = await this.#closeWith(data)
      if (isOver) forget()
      return !isOver
    }, member.failed)
    const forget = member.onView(() => void attempts.wake())
  }

  /** Closes the stream after its last event; false if another one came between. */
  async #closeWith(data: string): Promise<boolean> {
    const { key, member, followers } = this.#parts
    const { events } = member.stores
    const head = await events.head(key)
    // without any event no client can resume the stream
    if (!head || head.isClosed) return true
    const event = { number: head.last + 1, data }
    const refusal = await events.appendIf(key, event, { writer: member.epoch, closes: true })
    if (!refusal) followers.grew(key, member)
    return refusal !== 'number'
  }

  async #append(event: StoredEvent, closes: boolean): Promise<AppendRefusal | 'failed' | undefined> {
    const { key, member } = this.#parts
    let timer: ReturnType<typeof setTimeout> | undefined
    const slow = new Promise<'failed'>((resolve) => {
      timer = setTimeout(() => resolve('failed'), mostStoringMs)
    })
    try {
      const appending = member.stores.events.appendIf(key, event, { writer: member.epoch, closes })
      return await Promise.race([appending, slow])
    } catch (error) {
      member.failed(error)
      return 'failed'
    } finally {
      clearTimeout(timer)
    }
  }
}
