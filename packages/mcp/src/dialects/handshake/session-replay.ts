import type { NotificationMessage, RequestMessage } from '../../wire/messages.ts'

/** Subscriptions that are remembered; beyond that the oldest are dropped. */
const mostSubscriptions = 1_000

const lastingMethods: ReadonlySet<string> = new Set([
  'initialize',
  'notifications/initialized',
  'logging/setLevel',
  'resources/subscribe',
  'resources/unsubscribe',
])

/** True if a message changes the state of its session. */
export function changesSession({ method }: { readonly method: string }): boolean {
  return lastingMethods.has(method)
}

/** Records the messages that make up the state of a session, so that another process can replay them. */
export class SessionReplay {
  #initialize: RequestMessage | undefined
  #initialized: NotificationMessage | undefined
  #level: RequestMessage | undefined
  readonly #subscriptions = new Map<unknown, RequestMessage>()

  /** Records a notification, or a request that succeeded. */
  record(message: RequestMessage | NotificationMessage): void {
    if (!('id' in message)) {
      if (message.method === 'notifications/initialized') this.#initialized = message
    } else if (message.method === 'initialize') this.#start(message)
    else if (message.method === 'logging/setLevel') this.#level = withoutMeta(message)
    else if (message.method === 'resources/subscribe') this.#subscribe(withoutMeta(message))
    else if (message.method === 'resources/unsubscribe') this.#subscriptions.delete(message.params?.uri)
  }

  /** The requests since the handshake that still count: the log level, and each subscription. */
  get choices(): readonly RequestMessage[] {
    return [...(this.#level ? [this.#level] : []), ...this.#subscriptions.values()]
  }

  /** All messages to replay. */
  get messages(): readonly (RequestMessage | NotificationMessage)[] {
    if (!this.#initialize) return []
    return [this.#initialize, ...(this.#initialized ? [this.#initialized] : []), ...this.choices]
  }

  // a second "initialize" resets the session
  #start(initialize: RequestMessage): void {
    this.#initialize = initialize
    this.#initialized = undefined
    this.#level = undefined
    this.#subscriptions.clear()
  }

  #subscribe(request: RequestMessage): void {
    const uri = request.params?.uri
    if (this.#subscriptions.has(uri)) return
    this.#subscriptions.set(uri, request)
    for (const [oldest] of this.#subscriptions) {
      if (this.#subscriptions.size <= mostSubscriptions) return
      this.#subscriptions.delete(oldest)
    }
  }
}

/** The part of a session's state that a message changes. */
export function sessionKey({ method, params }: RequestMessage | NotificationMessage): string {
  const isSubscription = method === 'resources/subscribe' || method === 'resources/unsubscribe'
  return isSubscription ? `subscription ${params?.uri}` : method
}

/** The messages to replay, by the part of the state that each restores. */
export function keyedMessages({ messages }: SessionReplay): ReadonlyMap<string, RequestMessage | NotificationMessage> {
  return new Map(messages.map((message) => [sessionKey(message), message]))
}

/** A message to store: "_meta" belongs to the original request, as its progress token does. */
export function withoutMeta<Kept extends RequestMessage | NotificationMessage>(message: Kept): Kept {
  const { _meta, ...params } = message.params ?? {}
  return { ...message, params }
}
