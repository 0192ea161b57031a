import type { Channel, Fields, Id, Message, RequestMessage } from '@trunkline/mcp/client'
import { InvalidParams, MethodNotFound } from '@trunkline/mcp/client'
import { keyOf, type RecordedRequest } from './recorded-requests.ts'

/** Plays the server of a recording: who asks what was asked then is answered what was answered then. */
export class ReplayedServer {
  readonly #channel: Channel
  /** By what was asked, in the order in which it was. */
  readonly #recorded = new Map<string, RecordedRequest[]>()
  readonly #methods: ReadonlySet<string>
  /** Questions to the client that it has not answered yet. */
  readonly #asked = new Map<Id, () => void>()
  #questions = 0

  constructor(requests: readonly RecordedRequest[], channel: Channel) {
    this.#channel = channel
    this.#methods = new Set(requests.map(({ method }) => method))
    for (const request of requests) {
      const key = keyOf(request.method, request.params)
      this.#recorded.set(key, [...(this.#recorded.get(key) ?? []), request])
    }
  }

  /** Answers until the client goes away. */
  run(): Promise<void> {
    return new Promise((resolve) => {
      this.#channel.open({
        message: (messages) => {
          for (const message of Array.isArray(messages) ? messages : [messages]) this.#receive(message)
        },
        malformed: (error) =>
          void this.#channel.send({ jsonrpc: '2.0', id: null, error: { code: error.code, message: error.message } }),
        failed: () => {},
        ended: async () => {},
        closed: () => resolve(),
      })
    })
  }

  #receive(message: Message): void {
    if ('method' in message) {
      if ('id' in message) void this.#answer(message).catch(() => {})
    } else if (message.id !== undefined && message.id !== null) {
      this.#asked.get(message.id)?.()
      this.#asked.delete(message.id)
    }
  }

  async #answer({ id, method, params = {} }: RequestMessage): Promise<void> {
    const request = this.#next(method, params)
    if (request === undefined) return this.#send({ id, error: this.#nothing(method, params) })
    const token = (params._meta as Fields | undefined)?.progressToken
    for (const message of request.during) await this.#repeat(message, token)
    const { result, error } = request.answer ?? {}
    // a request that was never answered then is not answered now
    if (result !== undefined || error !== undefined) await this.#send({ id, ...(result ? { result } : { error }) })
  }

  /** The answer that was given then; asked more often, the last one again. */
  #next(method: string, params: Fields): RecordedRequest | undefined {
    const requests = this.#recorded.get(keyOf(method, params))
    return requests && requests.length > 1 ? requests.shift() : requests?.[0]
  }

  async #repeat({ id, method, params = {} }: { readonly [member: string]: unknown }, token: unknown): Promise<void> {
    if (id !== undefined) {
      const own = `replayed-${this.#questions++}`
      const answered = new Promise<void>((resolve) => this.#asked.set(own, resolve))
      await this.#send({ id: own, method, params })
      return answered
    }
    const isProgress = method === 'notifications/progress'
    if (isProgress && token === undefined) return
    await this.#send({ method, params: isProgress ? { ...(params as Fields), progressToken: token } : params })
  }

  #nothing(method: string, params: Fields): Fields {
    const { _meta, ...own } = params
    if (!this.#methods.has(method)) return { code: MethodNotFound, message: `Nothing was recorded of ${method}` }
    return { code: InvalidParams, message: `Nothing was recorded of ${method} with ${JSON.stringify(own)}` }
  }

  async #send(message: Fields): Promise<void> {
    await this.#channel.send({ jsonrpc: '2.0', ...message } as unknown as Message)
  }
}
