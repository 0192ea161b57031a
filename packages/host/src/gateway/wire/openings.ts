import { BoundedMap } from '@trunkline/base/bounded-map'
import type { Fields } from '@trunkline/mcp'
import type { Id, Message } from '@trunkline/mcp/client'
import { lengthUpTo } from './message-text.ts'

/** Methods that a recording needs to be played to a client that connects: the opening of the server and its offers. */
const kept: ReadonlySet<string> = new Set([
  ...['initialize', 'notifications/initialized', 'server/discover'],
  ...['tools/list', 'prompts/list', 'resources/templates/list'],
])

/** Characters kept of the opening of one server. */
export const maxOpeningLength = 4 * 1024 ** 2

/** Requests that may wait for an answer; a server that never answers is asked again and again. */
const maxWaiting = 100

/** One message of an opening. */
export interface OpeningMessage {
  readonly direction: 'sent' | 'received'
  readonly message: Message
}

/** The last opening of a server: a few messages for each start, and nothing for calls. */
export class Openings {
  /** Messages by request; a repeated request replaces the earlier one and its answer. */
  readonly #messages = new Map<string, { readonly parts: OpeningMessage[]; length: number }>()
  readonly #waiting = new BoundedMap<Id, string>(maxWaiting)

  /** True if a message belongs to an opening. */
  static isOne(message: Message | readonly Message[]): boolean {
    return 'method' in message && kept.has(message.method)
  }

  /** True if an answer is expected. */
  get isWaiting(): boolean {
    return this.#waiting.size > 0
  }

  /** Number of answers expected. */
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

  /** A message that does not fit is left out together with its request, so that none is kept alone. */
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
