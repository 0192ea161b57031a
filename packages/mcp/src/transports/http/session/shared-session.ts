import type { ClusterMember } from '../../../cluster/member.ts'
import {
  changesSession,
  keyedMessages,
  SessionReplay,
  sessionKey,
  withoutMeta,
} from '../../../dialects/handshake/session-replay.ts'
import type { SessionRecord, VersionedSession } from '../../../stores/session-store.ts'
import type { Id, Message, NotificationMessage, RequestMessage, ResponseMessage } from '../../../wire/messages.ts'
import { orAway } from '../server/or-away.ts'
import { sessionNotFound } from '../server/refusals.ts'
import type { Persistence } from './session-persistence.ts'

export interface SharedSessionParts {
  readonly id: string
  readonly member: ClusterMember
  /** The record of the session as it was found. */
  readonly record: SessionRecord
}

/** Name of entries that say that the subscriptions of a session have changed. */
export const sessionChanged = 'changed session'

/** The state of one session that several processes use: each change is stored before it is answered. */
export class SharedSession implements Persistence {
  readonly #parts: SharedSessionParts
  /** The state that both the store and this process have. */
  #lasting = new SessionReplay()
  /** The requests that change the session once they are answered. */
  readonly #asked = new Map<Id, RequestMessage>()
  #reached: number | undefined

  constructor(parts: SharedSessionParts) {
    this.#parts = parts
  }

  /** The version of the session that this process has; undefined before it was read. */
  get version(): number | undefined {
    return this.#reached
  }

  heard(message: Message): Promise<void> | undefined {
    if (!('method' in message) || !changesSession(message)) return undefined
    if (!('id' in message)) return this.#change(message)
    this.#asked.set(message.id, message)
    return undefined
  }

  answered(response: ResponseMessage): Promise<void> | undefined {
    const { id } = response
    const request = id === undefined || id === null ? undefined : this.#asked.get(id)
    if (!request) return undefined
    this.forget(request.id)
    if ('error' in response) return undefined
    return request.method === 'initialize' ? this.#open(request) : this.#change(request)
  }

  forget(id: Id): void {
    this.#asked.delete(id)
  }

  async saved(): Promise<void> {}

  async drop(): Promise<void> {
    const { id, member } = this.#parts
    await orAway(member, () => member.stores.sessions.drop(id))
  }

  /** The messages that bring this process up to a stored version, which counts as reached then. */
  missing({ record, version: stored }: VersionedSession): readonly (RequestMessage | NotificationMessage)[] {
    if (this.#reached !== undefined && stored <= this.#reached) return []
    const lasting = new SessionReplay()
    for (const message of record.messages) lasting.record(message)
    const [has, wanted] = [keyedMessages(this.#lasting), keyedMessages(lasting)]
    this.#lasting = lasting
    this.#reached = stored
    const added = [...wanted].filter(([key, message]) => !isSame(has.get(key), message)).map(([, message]) => message)
    const gone = [...has]
      .filter(([key, { method }]) => method === 'resources/subscribe' && !wanted.has(key))
      .map(([, { params }]) => unsubscribe(params))
    // an id of the client may be that of a request in flight
    return [...gone, ...added].map((message) =>
      'id' in message ? { ...message, id: this.#parts.member.nextId() } : message,
    )
  }

  async #open(initialize: RequestMessage): Promise<void> {
    const { id, record, member } = this.#parts
    await orAway(member, () => member.stores.sessions.save(id, { ...record, messages: [initialize] }))
    this.#lasting.record(initialize)
  }

  async #change(message: RequestMessage | NotificationMessage): Promise<void> {
    const { id, member } = this.#parts
    const isRemoved = message.method === 'resources/unsubscribe'
    const stored = isRemoved ? undefined : withoutMeta(message)
    const change = { key: sessionKey(message), message: stored }
    const version = await orAway(member, () => member.stores.sessions.change(id, change))
    if (version === undefined) throw sessionNotFound()
    this.#lasting.record(message)
    // the process with the stream announces what the session watches
    if (message.method.startsWith('resources/'))
      await orAway(member, () => member.tellAll({ about: sessionChanged, session: id }))
    // where others changed it meanwhile, the next request finds that out
    if (this.#reached !== undefined && version === this.#reached + 1) this.#reached = version
  }
}

function isSame(one: RequestMessage | NotificationMessage | undefined, other: RequestMessage | NotificationMessage) {
  return one !== undefined && JSON.stringify(one.params) === JSON.stringify(other.params)
}

function unsubscribe(params: RequestMessage['params']): RequestMessage {
  return { jsonrpc: '2.0', id: '', method: 'resources/unsubscribe', params: { uri: params?.uri } }
}
