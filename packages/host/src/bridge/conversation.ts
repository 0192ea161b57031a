import type { Fields } from '@trunkline/mcp'

/** What a bridge has to know of a message to go on after a restart of the host. */
interface Message extends Fields {
  readonly id?: string | number
  readonly method?: string
}

/** Requests of a client that are remembered; more than any client has under way. */
const maxOpen = 10_000
const unknownOutcome = 'The host restarted while this was under way; whether it was done is not known'

/** One client's side of a conversation, as far as it has to be said again to a host that restarted. */
export class BridgedConversation {
  readonly #open = new Map<string | number, string>()
  #initialize: string | undefined
  #initialized: string | undefined
  /** The id of an `initialize` that was said again, whose answer the client already has. */
  #swallowed: string | number | undefined

  /** A line of the client, on its way to the host. */
  fromClient(line: string): void {
    const message = parsed(line)
    if (message?.method === 'initialize') this.#initialize = line
    if (message?.method === 'notifications/initialized') this.#initialized = line
    if (message?.method === undefined || message.id === undefined) return
    if (this.#open.size < maxOpen) this.#open.set(message.id, message.method)
  }

  /** A line of the host, on its way to the client; undefined when the client must not see it. */
  fromHost(line: string): string | undefined {
    const message = parsed(line)
    if (!message || message.method !== undefined || message.id === undefined) return line
    this.#open.delete(message.id)
    if (message.id !== this.#swallowed) return line
    this.#swallowed = undefined
    return undefined
  }

  /** What a host that restarted has to hear first. */
  greeting(): readonly string[] {
    if (this.#initialize === undefined) return []
    const id = parsed(this.#initialize)?.id
    // one whose answer has not come is simply asked again
    if (id !== undefined && !this.#open.has(id)) this.#swallowed = id
    return this.#initialized === undefined ? [this.#initialize] : [this.#initialize, this.#initialized]
  }

  /** The connection is closed: rejects the pending requests of the client. */
  lost(): readonly string[] {
    const opening = parsed(this.#initialize ?? '')?.id
    const gone = [...this.#open.keys()].filter((id) => id !== opening)
    for (const id of gone) this.#open.delete(id)
    return gone.map((id) => JSON.stringify({ jsonrpc: '2.0', id, error: { code: -32000, message: unknownOutcome } }))
  }
}

function parsed(line: string): Message | undefined {
  try {
    const value: unknown = JSON.parse(line)
    return typeof value === 'object' && value !== null && !Array.isArray(value) ? (value as Message) : undefined
  } catch {
    return undefined
  }
}
