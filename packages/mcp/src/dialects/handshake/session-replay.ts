import type { Notification, Request } from '../../wire/messages.ts'

/** Subscriptions that are remembered; beyond that the oldest go. */
const mostSubscriptions = 1_000

const lastingMethods: ReadonlySet<string> = new Set([
  'initialize',
  'notifications/initialized',
  'logging/setLevel',
  'resources/subscribe',
  'resources/unsubscribe',
])

/** Whether a message changes the conversation it belongs to, and not only what is under way in it. */
export function changesSession({ method }: { readonly method: string }): boolean {
  return lastingMethods.has(method)
}

/** What a client said that made a conversation what it is: said again, in order, it makes the same one elsewhere. */
export class SessionReplay {
  #initialize: Request | undefined
  #initialized: Notification | undefined
  #level: Request | undefined
  readonly #subscriptions = new Map<unknown, Request>()

  /** Takes note of what was said and, where it wants an answer, agreed to. */
  record(message: Request | Notification): void {
    if (!('id' in message)) {
      if (message.method === 'notifications/initialized') this.#initialized = message
    } else if (message.method === 'initialize') this.#start(message)
    else if (message.method === 'logging/setLevel') this.#level = withoutMeta(message)
    else if (message.method === 'resources/subscribe') this.#subscribe(withoutMeta(message))
    else if (message.method === 'resources/unsubscribe') this.#subscriptions.delete(message.params?.uri)
  }

  /** What was chosen since the handshake: the log level, and each subscription. */
  get choices(): readonly Request[] {
    return [...(this.#level ? [this.#level] : []), ...this.#subscriptions.values()]
  }

  /** Everything to say again. */
  get messages(): readonly (Request | Notification)[] {
    if (!this.#initialize) return []
    return [this.#initialize, ...(this.#initialized ? [this.#initialized] : []), ...this.choices]
  }

  // whoever introduces themselves again starts anew
  #start(initialize: Request): void {
    this.#initialize = initialize
    this.#initialized = undefined
    this.#level = undefined
    this.#subscriptions.clear()
  }

  #subscribe(request: Request): void {
    const uri = request.params?.uri
    if (this.#subscriptions.has(uri)) return
    this.#subscriptions.set(uri, request)
    for (const [oldest] of this.#subscriptions) {
      if (this.#subscriptions.size <= mostSubscriptions) return
      this.#subscriptions.delete(oldest)
    }
  }
}

// it was about that one request: where its progress was told, what it was traced by
function withoutMeta({ params: { _meta, ...params } = {}, ...request }: Request): Request {
  return { ...request, params }
}
