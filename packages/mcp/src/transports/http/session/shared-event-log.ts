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
    await this.#storing
    return eventsIn(this.#parts.member.stores.events, { stream: this.#parts.key, after: number, upTo: this.#last })
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
    return this.#state === 'stored' ? event : { number: 0, data: event.data }
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
