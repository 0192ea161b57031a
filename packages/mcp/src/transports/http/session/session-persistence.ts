import { changesSession, SessionReplay } from '../../../dialects/handshake/session-replay.ts'
import type { SessionRecord, SessionStore } from '../../../stores/session-store.ts'
import type { Id, Message, RequestMessage, ResponseMessage } from '../../../wire/messages.ts'
import { tryOrReport } from './try-or-report.ts'

export interface SessionPersistenceParts {
  readonly id: string
  readonly store: SessionStore
  /** The record of the session so far. */
  readonly record: SessionRecord
  /** Logs an internal error. */
  report(error: unknown, what: string): void
}

/** Keeps the state of one session in a store. */
export interface Persistence {
  /** Records a message of the client; a returned promise must resolve before it is accepted. */
  heard(message: Message): Promise<void> | undefined
  /** Records an answer; a returned promise must resolve before it is sent, and rejects when the session cannot be saved. */
  answered(response: ResponseMessage): Promise<void> | undefined
  /** Drops a request that will not be answered. */
  forget(id: Id): void
  /** Resolves when everything is saved, or has failed. */
  saved(): Promise<void>
  /** The session has ended, wherever it could have gone on. */
  drop(): Promise<void>
}

/** Saves one session to a store, so that another process can restore it. */
export class SessionPersistence implements Persistence {
  readonly #parts: SessionPersistenceParts
  readonly #lasting = new SessionReplay()
  /** The requests that change the session once they are answered. */
  readonly #asked = new Map<Id, RequestMessage>()
  #saving: Promise<void> | undefined
  #isStale = false

  constructor(parts: SessionPersistenceParts) {
    this.#parts = parts
    for (const message of parts.record.messages) this.#lasting.record(message)
  }

  heard(message: Message): undefined {
    if (!('method' in message) || !changesSession(message)) return
    if ('id' in message) this.#asked.set(message.id, message)
    else {
      this.#lasting.record(message)
      this.#save()
    }
  }

  answered(response: ResponseMessage): Promise<void> | undefined {
    const { id } = response
    const request = id === undefined || id === null ? undefined : this.#asked.get(id)
    if (!request) return undefined
    this.forget(request.id)
    if ('error' in response) return undefined
    this.#lasting.record(request)
    // a client must not get a session that is not saved
    if (request.method === 'initialize') return this.#open()
    this.#save()
    return undefined
  }

  forget(id: Id): void {
    this.#asked.delete(id)
  }

  async saved(): Promise<void> {
    while (this.#saving) await this.#saving
  }

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

  // one after the other, because an earlier save could overtake a later one
  #save(): void {
    const { id, store, report } = this.#parts
    this.#isStale = this.#saving !== undefined
    if (this.#saving) return
    const saving = tryOrReport(
      () => store.save(id, this.#record),
      (error) => report(error, 'Storing a session'),
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
