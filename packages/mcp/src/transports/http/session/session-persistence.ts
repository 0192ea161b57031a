import { changesSession, SessionReplay } from '../../../dialects/handshake/session-replay.ts'
import type { SessionRecord, SessionStore } from '../../../stores/session-store.ts'
import type { Id, Message, Request, Response } from '../../../wire/messages.ts'
import { tryOrReport } from './try-or-report.ts'

export interface SessionPersistenceParts {
  readonly id: string
  readonly store: SessionStore
  /** All that is known of the session so far. */
  readonly record: SessionRecord
  /** Takes note of an error that nobody outside should know more about. */
  report(error: unknown, what: string): void
}

/** Keeps in a store what makes one session, so that another process can go on with it. */
export class SessionPersistence {
  readonly #parts: SessionPersistenceParts
  readonly #lasting = new SessionReplay()
  /** What will last once it is answered. */
  readonly #asked = new Map<Id, Request>()
  #saving: Promise<void> | undefined
  #isStale = false

  constructor(parts: SessionPersistenceParts) {
    this.#parts = parts
    for (const message of parts.record.messages) this.#lasting.record(message)
  }

  /** Takes note of what the client says. */
  heard(message: Message): void {
    if (!('method' in message) || !changesSession(message)) return
    if ('id' in message) this.#asked.set(message.id, message)
    else {
      this.#lasting.record(message)
      this.#save()
    }
  }

  /** Takes note of an answer, which has to wait where there is a promise; it rejects when the session cannot be kept. */
  answered(response: Response): Promise<void> | undefined {
    const { id } = response
    const request = id === undefined || id === null ? undefined : this.#asked.get(id)
    if (!request) return undefined
    this.forget(request.id)
    if ('error' in response) return undefined
    this.#lasting.record(request)
    // nobody may rely on a session that only this process knows
    if (request.method === 'initialize') return this.#open()
    this.#save()
    return undefined
  }

  /** A request will not be answered. */
  forget(id: Id): void {
    this.#asked.delete(id)
  }

  /** Resolves when all that is known is saved, as far as that can be. */
  async saved(): Promise<void> {
    while (this.#saving) await this.#saving
  }

  /** The session is over, wherever it could have gone on. */
  async drop(): Promise<void> {
    await this.saved()
    await this.#parts.store.drop(this.#parts.id)
  }

  #open(): Promise<void> | undefined {
    try {
      const saving = this.#parts.store.save(this.#parts.id, this.#record)
      return saving instanceof Promise ? saving : undefined
    } catch (error) {
      return Promise.reject(error)
    }
  }

  // one after the other, because in a store the earlier could overtake the later
  #save(): void {
    const { id, store, report } = this.#parts
    this.#isStale = this.#saving !== undefined
    if (this.#saving) return
    const saving = tryOrReport(
      () => store.save(id, this.#record),
      (error) => report(error, 'Keeping a session'),
    )
    this.#saving = saving?.then(() => {
      this.#saving = undefined
      if (this.#isStale) this.#save()
    })
  }

  get #record(): SessionRecord {
    return { ...this.#parts.record, messages: this.#lasting.messages }
  }
}
