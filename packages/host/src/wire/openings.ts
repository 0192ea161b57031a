import type { Fields } from '@trunkline/mcp'
import type { Id, Message } from '@trunkline/mcp/client'
import { BoundedMap } from '../servers/bounded-map.ts'
import { lengthUpTo } from './message-text.ts'

/** What a recording needs to be played to a client that connects: how the server was opened and what it offers. */
const kept: ReadonlySet<string> = new Set([
  ...['initialize', 'notifications/initialized', 'server/discover'],
  ...['tools/list', 'prompts/list', 'resources/templates/list'],
])

/** How much of the opening of one server is kept, in characters. */
export const maxOpeningLength = 4 * 1024 ** 2

/** Questions of which an answer is expected; a server that never answers is asked again and again. */
const maxWaiting = 100

/** One message of an opening. */
export interface OpeningMessage {
  readonly direction: 'sent' | 'received'
  readonly message: Message
}

/** How a server was opened the last time: a few messages for each start, and nothing for calls. */
export class Openings {
  /** By what was asked; what is asked again takes the place of what was answered before. */
  readonly #messages = new Map<string, { readonly parts: OpeningMessage[]; length: number }>()
  readonly #waiting = new BoundedMap<Id, string>(maxWaiting)

  /** Whether a message belongs to an opening. */
  static isOne(message: Message | readonly Message[]): boolean {
    return 'method' in message && kept.has(message.method)
  }

  /** Whether an answer is expected. */
  get isWaiting(): boolean {
    return this.#waiting.size > 0
  }

  /** How many answers are expected. */
  get waiting(): number {
    return this.#waiting.size
  }

  get messages(): readonly OpeningMessage[] {
    return [...this.#messages.values()].flatMap(({ parts }) => parts)
  }

  sent(message: Message): void {
    if (!('method' in message) || !kept.has(message.method)) return
    const key = `${message.method} ${String((message.params as Fields | undefined)?.cursor ?? '')}`
    this.#messages.set(key, { parts: [], length: 0 })
    if ('id' in message) this.#waiting.set(message.id as Id, key)
    this.#keep(key, { direction: 'sent', message })
  }

  received(message: Message): void {
    if ('method' in message) return
    const key = this.#waiting.get(message.id as Id)
    if (key === undefined) return
    this.#waiting.delete(message.id as Id)
    this.#keep(key, { direction: 'received', message })
  }

  /** The server is started anew. */
  clear(): void {
    this.#messages.clear()
    this.#waiting.clear()
  }

  /** What does not fit is left out together with its question, so that nothing is half. */
  #keep(key: string, part: OpeningMessage): void {
    const group = this.#messages.get(key)
    if (!group) return
    const taken = [...this.#messages.values()].reduce((sum, { length }) => sum + length, 0)
    const length = lengthUpTo(part.message, maxOpeningLength)
    if (taken + length > maxOpeningLength) return void this.#messages.delete(key)
    group.parts.push(part)
    group.length += length
  }
}
