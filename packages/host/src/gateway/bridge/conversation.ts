import type { Fields } from '@trunkline/mcp'

/** Members of a message that a bridge needs to go on after a restart of the host. */
interface Message extends Fields {
  readonly id?: string | number
  readonly method?: string
  readonly params?: Fields
}

/** Requests of a client that are remembered; more than any client has under way. */
const maxOpen = 10_000
/** Resources that a client subscribed to and that are remembered; a host lets one client have no more. */
const maxSubscribed = 1_000
const unknownOutcome = 'The host restarted while this was under way; whether it was done is not known'

/** One client's side of a conversation, as far as it has to be said again to a host that restarted. */
export class BridgedConversation {
  readonly #open = new Map<string | number, string>()
  #initialize: string | undefined
  #initialized: string | undefined
  /** The ids of repeated requests, whose answers the client already has. */
  readonly #swallowed = new Set<string | number>()
  readonly #subscribed = new Set<string>()
  #level: Fields | undefined

  /** A line of the client, on its way to the host. */
  fromClient(line: string): void {
    const message = parsed(line)
    if (message?.method === 'initialize') this.#initialize = line
    if (message?.method === 'notifications/initialized') this.#initialized = line
    if (message?.method === undefined || message.id === undefined) return
    this.#note(message.method, message.params ?? {})
    if (this.#open.size < maxOpen) this.#open.set(message.id, message.method)
  }

  /** A line of the host, on its way to the client; undefined when the client must not see it. */
  fromHost(line: string): string | undefined {
    const message = parsed(line)
    if (!message || message.method !== undefined || message.id === undefined) return line
    this.#open.delete(message.id)
    return this.#swallowed.delete(message.id) ? undefined : line
  }

  /** Notes the state of a session besides its opening: subscriptions and the log level. */
  #note(method: string, params: Fields): void {
    const uri = String(params.uri)
    if (method === 'resources/unsubscribe') this.#subscribed.delete(uri)
    if (method === 'resources/subscribe' && this.#subscribed.size < maxSubscribed) this.#subscribed.add(uri)
    if (method === 'logging/setLevel') this.#level = params
  }

  /** First messages to a restarted host. */
  greeting(): readonly string[] {
    if (this.#initialize === undefined) return []
    const id = parsed(this.#initialize)?.id
    // one whose answer has not come is simply asked again
    this.#swallowed.clear()
    if (id !== undefined && !this.#open.has(id)) this.#swallowed.add(id)
    if (this.#initialized === undefined) return [this.#initialize]
    return [this.#initialize, this.#initialized, ...this.#saidAgain()]
  }

  #saidAgain(): readonly string[] {
    const requests = [
      ...(this.#level ? [{ method: 'logging/setLevel', params: this.#level }] : []),
      ...[...this.#subscribed].map((uri) => ({ method: 'resources/subscribe', params: { uri } })),
    ]
    return requests.map((request, at) => {
      const id = `trunkline-again-${at}`
      this.#swallowed.add(id)
      return JSON.stringify({ jsonrpc: '2.0', id, ...request })
    })
  }

  /** Notifications that the client may have missed while there was no host. */
  missed(): readonly string[] {
    const method = 'notifications/resources/updated'
    return [...this.#subscribed].map((uri) => JSON.stringify({ jsonrpc: '2.0', method, params: { uri } }))
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
