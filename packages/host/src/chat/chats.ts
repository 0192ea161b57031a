import type { Client } from '@trunkline/mcp'
import type { Models } from '../model/models.ts'
import type { Store } from '../store/store.ts'
import { Chat } from './chat.ts'
import { hostModel } from './chat-model.ts'
import { completeInput, type InputCompletion } from './complete-input.ts'
import { ConversationError, type ConversationLimits, Conversations } from './conversations.ts'
import type { ChatEvent } from './event.ts'
import { type ChatInput, readInput } from './input.ts'

/** What conversations of the host are held with. */
export interface ChatsParts {
  readonly store: Store
  readonly models: Models
  /** Connects to the gateway, as the chat's own principal. */
  connect(): Promise<Client>
  onEvent(conversation: string, event: ChatEvent): void
  readonly limits?: ConversationLimits
}

/** Conversations in which a model answers at the same time. */
const maxAnswering = 16

/** The conversations of the host: saved, resumable, and each a caller of the gateway like any other. */
export class Chats {
  readonly conversations: Conversations
  readonly #parts: ChatsParts
  readonly #answering = new Map<string, AbortController>()
  #client: Promise<Client> | undefined

  constructor(parts: ChatsParts) {
    this.#parts = parts
    this.conversations = new Conversations(parts.store, parts.limits)
  }

  /** Begins a conversation with a model, or with the usual one; fails with what to configure when there is none. */
  start(model?: string): Promise<string> {
    this.#parts.models.named(model)
    return this.conversations.make(model)
  }

  isAnswering(id: string): boolean {
    return this.#answering.has(id)
  }

  /** Says something; resolves when it was understood, and the answer comes as events. */
  async send(id: string, input: ChatInput): Promise<void> {
    const { models, onEvent } = this.#parts
    const { model } = this.conversations.summary(id)
    this.conversations.refuseFull(id)
    if (this.#answering.has(id)) throw new ConversationError('Busy', 'The model still answers: stop it first, or wait')
    if (this.#answering.size >= maxAnswering) {
      throw new ConversationError('Busy', `${maxAnswering} conversations are answered already: stop one first, or wait`)
    }
    const stop = new AbortController()
    this.#answering.set(id, stop)
    try {
      const client = await this.#connected()
      const content = await readInput(client, input, stop.signal)
      const chat = new Chat({
        client,
        model: hostModel(models, models.named(model)),
        entries: this.conversations.entries(id),
        onEntry: (entry) => this.conversations.add(id, entry),
      })
      const events = { signal: stop.signal, onEvent: (event: ChatEvent) => this.#told(id, event, client) }
      const ended = (): void => void this.#answering.delete(id)
      void chat.send(content, events).then(ended, (error) => {
        ended()
        onEvent(id, { type: 'failed', code: 'Failed', message: String(error.message) })
      })
    } catch (error) {
      this.#answering.delete(id)
      throw error
    }
  }

  /** Stops the answer and its calls. */
  stop(id: string): void {
    this.#answering.get(id)?.abort(new DOMException('The person stopped it', 'AbortError'))
  }

  async remove(id: string): Promise<void> {
    this.stop(id)
    await this.conversations.remove(id)
  }

  /** What the last word of a line may become. */
  async complete(text: string): Promise<InputCompletion> {
    return completeInput(await this.#connected(), text, AbortSignal.timeout(completionMs))
  }

  async close(): Promise<void> {
    for (const id of this.#answering.keys()) this.stop(id)
    const client = await this.#client?.catch(() => undefined)
    await client?.close()
  }

  #told(id: string, event: ChatEvent, client: Client): void {
    // the connection may be what failed, as when somebody ended the token; the next message makes another
    if (event.type === 'failed' && event.code === 'Failed') {
      this.#client = undefined
      client.close().catch(() => {})
    }
    this.#parts.onEvent(id, event)
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
