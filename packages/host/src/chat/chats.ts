import { BoundedMap } from '@trunkline/base/bounded-map'
import type { Client } from '@trunkline/mcp'
import type { Models } from '../model/models.ts'
import type { Store } from '../store/store.ts'
import { Chat } from './chat.ts'
import { hostModel } from './chat-model.ts'
import { completeInput, type InputCompletion } from './complete-input.ts'
import { ConversationError, type ConversationLimits, Conversations } from './conversations.ts'
import type { ChatEntry } from './entry.ts'
import { type ChatEvent, type ChatRemark, isRemark } from './event.ts'
import { type ChatInput, readInput } from './input.ts'
import { gatewaySkills } from './offered-skills.ts'
import type { ServerInstructions } from './server-instructions.ts'
import { Underway, type UnderwayNow } from './underway.ts'

/** Change of a conversation; each has a number, so that a page can tell what it knows already. */
export type ChatNews =
  | { readonly type: 'event'; readonly conversation: string; readonly number: number; readonly event: ChatEvent }
  /** An entry stands at this place now, and none after it. */
  | {
      readonly type: 'entry'
      readonly conversation: string
      readonly number: number
      readonly index: number
      readonly entry: ChatEntry
    }
  /** A conversation was begun, renamed or deleted. */
  | { readonly type: 'list' }

/** State of a conversation beside what was said in it. */
export interface ChatNow {
  readonly number: number
  readonly underway: UnderwayNow | undefined
  readonly remarks: readonly ChatRemark[]
}

/** Something to say, and the entry of the person that it takes the place of. */
export interface ChatMessage extends ChatInput {
  readonly from?: number | undefined
}

/** Dependencies of the host's conversations. */
export interface ChatsParts {
  readonly store: Store
  readonly models: Models
  /** Connects to the gateway, as the chat's own principal, with the extension for skills. */
  connect(): Promise<Client>
  /** Accepted instructions of the servers that are offered there. */
  instructions(): readonly ServerInstructions[]
  /** The server of a tool there; undefined if it is not known. */
  serverOf(tool: string): string | undefined
  onNews(news: ChatNews): void
  /** Resolves when the models are known. @default they are from the start */
  whenConfigured?(): Promise<void>
  readonly limits?: ConversationLimits
}

/** Conversations in which a model answers at the same time. */
const maxAnswering = 16
/** Conversations whose remarks are kept, those answered last. */
const maxRemarked = 100

/** The conversations of the host: saved, resumable, and each a caller of the gateway like any other. */
export class Chats {
  readonly conversations: Conversations
  readonly #parts: ChatsParts
  readonly #answering = new Map<string, Underway>()
  /** Remarks on the last answer of a conversation: a page may be opened when they have been said. */
  readonly #remarks = new BoundedMap<string, readonly ChatRemark[]>(maxRemarked)
  #number = 0
  #client: Promise<Client> | undefined

  constructor(parts: ChatsParts) {
    this.#parts = parts
    this.conversations = new Conversations(parts.store, parts.limits)
  }

  /** The models, when they are known: a host answers before it has read its configuration. */
  async models(): Promise<Models> {
    await this.#parts.whenConfigured?.()
    return this.#parts.models
  }

  /** Begins a conversation with a model, or with the usual one; if there is none, the error says what to configure. */
  async start(model?: string): Promise<string> {
    const models = await this.models()
    models.named(model)
    const id = await this.conversations.make(model)
    this.#parts.onNews({ type: 'list' })
    return id
  }

  async rename(id: string, title: string): Promise<void> {
    await this.conversations.rename(id, title)
    this.#parts.onNews({ type: 'list' })
  }

  /** The answer under way in a conversation, remarks on the last one, and the number of its last news. */
  now(id: string): ChatNow {
    return { number: this.#number, underway: this.#answering.get(id)?.now, remarks: this.#remarks.get(id) ?? [] }
  }

  isAnswering(id: string): boolean {
    return this.#answering.has(id)
  }

  /** Says something; resolves when it was understood, and the answer comes as events. */
  async send(id: string, { from, ...input }: ChatMessage): Promise<void> {
    const models = await this.models()
    const { model } = this.conversations.summary(id)
    this.conversations.refuseFull(id, from)
    if (from !== undefined) this.conversations.refuseOthers(id, from)
    if (this.#answering.has(id)) throw new ConversationError('Busy', 'The model still answers: stop it first, or wait')
    if (this.#answering.size >= maxAnswering) {
      throw new ConversationError('Busy', `${maxAnswering} conversations are answered already: stop one first, or wait`)
    }
    const answering = new Underway()
    const { signal } = answering.stop
    this.#answering.set(id, answering)
    try {
      const client = await this.#connected()
      const content = await readInput(client, input, signal)
      const spoken = hostModel(models, models.named(model))
      if (from !== undefined) await this.conversations.cut(id, from)
      const chat = new Chat({
        client,
        model: spoken,
        instructions: () => this.#parts.instructions(),
        serverOf: (tool) => this.#parts.serverOf(tool),
        skills: gatewaySkills(client),
        entries: this.conversations.entries(id),
        onEntry: (entry) => this.#added(id, entry),
      })
      const onEvent = (event: ChatEvent): void => {
        // a listener may send the next message as soon as it hears of the end
        if (event.type === 'end' || event.type === 'failed') this.#answering.delete(id)
        this.#told(id, event, client)
      }
      void chat.send(content, { signal, onEvent }).catch((error) => {
        onEvent({ type: 'failed', code: 'Failed', message: String(error.message) })
      })
    } catch (error) {
      this.#answering.delete(id)
      throw error
    }
  }

  /** Stops the answer and its calls. */
  stop(id: string): void {
    this.#answering.get(id)?.stop.abort(new DOMException('The person stopped it', 'AbortError'))
  }

  async remove(id: string): Promise<void> {
    this.stop(id)
    await this.conversations.remove(id)
    this.#remarks.delete(id)
    this.#parts.onNews({ type: 'list' })
  }

  /** Completions of the last word of a line. */
  async complete(text: string): Promise<InputCompletion> {
    return completeInput(await this.#connected(), text, AbortSignal.timeout(completionMs))
  }

  async close(): Promise<void> {
    for (const id of this.#answering.keys()) this.stop(id)
    const client = await this.#client?.catch(() => undefined)
    await client?.close()
  }

  #told(id: string, event: ChatEvent, client: Client): void {
    // the connection may be what failed, as when its token was revoked; the next message makes another
    if (event.type === 'failed' && event.code === 'Failed') {
      this.#client = undefined
      client.close().catch(() => {})
    }
    this.#answering.get(id)?.happened(event)
    if (isRemark(event)) this.#remarks.set(id, [...(this.#remarks.get(id) ?? []), event])
    this.#number += 1
    this.#parts.onNews({ type: 'event', conversation: id, number: this.#number, event })
  }

  async #added(id: string, entry: ChatEntry): Promise<void> {
    const index = await this.conversations.add(id, entry)
    if (index < 0) return
    this.#answering.get(id)?.added(entry)
    if (entry.by === 'person') this.#remarks.delete(id)
    this.#number += 1
    this.#parts.onNews({ type: 'entry', conversation: id, number: this.#number, index, entry })
  }

  #connected(): Promise<Client> {
    const client = this.#client ?? this.#parts.connect()
    this.#client = client
    const forget = (): void => {
      if (this.#client === client) this.#client = undefined
    }
    client.then(({ whenClosed }) => whenClosed.then(forget, forget), forget)
    return client
  }
}

const completionMs = 5_000
