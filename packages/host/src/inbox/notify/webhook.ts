import { setTimeout as delay } from 'node:timers/promises'
import { type Notice, summaryOf } from './notice.ts'

export interface WebhookOptions {
  /** The address of the console, for links. */
  console(): URL
  /** Time limit of one request, in milliseconds. @default 5_000 */
  readonly timeoutMs?: number
  /** Milliseconds before each further try; there are no more tries than these. @default 1_000 and 10_000 */
  readonly retryMs?: readonly number[]
  /** Notices that wait to be sent; the oldest are dropped for newer ones. @default 100 */
  readonly maxNotices?: number
  onError(error: Error): void
}

const defaults = { timeoutMs: 5_000, retryMs: [1_000, 10_000], maxNotices: 100 } as const

interface Queued {
  readonly url: string
  readonly notice: Notice
}

/** Sends notices to webhooks, one request at a time; notices that come meanwhile go together in the next one. */
export class Webhooks {
  readonly #options: WebhookOptions & typeof defaults
  readonly #queue = new Map<string, Queued>()
  readonly #stop = new AbortController()
  #sending: Promise<void> | undefined

  constructor(options: WebhookOptions) {
    this.#options = { ...defaults, ...options } as WebhookOptions & typeof defaults
  }

  send(url: string, notices: readonly Notice[]): void {
    if (this.#stop.signal.aborted) return
    for (const notice of notices) {
      this.#queue.delete(notice.id)
      this.#queue.set(notice.id, { url, notice })
    }
    for (const id of this.#queue.keys()) {
      if (this.#queue.size <= this.#options.maxNotices) break
      this.#queue.delete(id)
    }
    this.#sending ??= this.#sendAll().finally(() => {
      this.#sending = undefined
    })
  }

  /** Cancels the request about a settled question. */
  withdraw(id: string): void {
    this.#queue.delete(id)
  }

  /** Stops at once; waiting questions are in the inbox, and are sent when the host starts again. */
  async close(): Promise<void> {
    this.#stop.abort()
    this.#queue.clear()
    await this.#sending
  }

  async #sendAll(): Promise<void> {
    for (let [first] = this.#queue.values(); first !== undefined; [first] = this.#queue.values()) {
      const { url } = first
      const sent = await this.#sendWithRetries(url)
      for (const id of sent) this.#queue.delete(id)
    }
  }

  /** Returns the ids that need no further try, whether they arrived or not. */
  async #sendWithRetries(url: string): Promise<readonly string[]> {
    const { retryMs, onError } = this.#options
    let ids: readonly string[] = []
    for (let tries = 0; ; tries++) {
      const notices = this.#waitingFor(url)
      ids = notices.map(({ id }) => id)
      if (notices.length === 0) return ids
      const failure = await this.#post(url, notices)
      const waitMs = retryMs[tries]
      if (failure === undefined || this.#stop.signal.aborted) return ids
      if (!failure.mayRetry || waitMs === undefined) {
        onError(new Error(`Cannot tell "notify.webhook" at ${new URL(url).host} of questions: ${failure.why}`))
        return ids
      }
      await delay(waitMs, undefined, { signal: this.#stop.signal, ref: false }).catch(() => {})
    }
  }

  #waitingFor(url: string): readonly Notice[] {
    return [...this.#queue.values()].filter((one) => one.url === url).map(({ notice }) => notice)
  }

  async #post(url: string, notices: readonly Notice[]): Promise<Failure | undefined> {
    const { timeoutMs, console } = this.#options
    const body = JSON.stringify({ event: 'questions', ...pick(summaryOf(notices, console())), questions: notices })
    try {
      const response = await fetch(url, {
        method: 'POST',
        headers: { 'content-type': 'application/json', 'user-agent': 'trunkline' },
        body,
        // only the configured address gets the notice, and none that it redirects to
        redirect: 'manual',
        signal: AbortSignal.any([this.#stop.signal, AbortSignal.timeout(timeoutMs)]),
      })
      // the body of the answer does not matter
      await response.body?.cancel().catch(() => {})
      return response.ok ? undefined : refusal(response.status)
    } catch (error) {
      const isLate = error instanceof Error && error.name === 'TimeoutError'
      return { mayRetry: true, why: isLate ? `it took longer than ${timeoutMs} ms` : causeOf(error) }
    }
  }
}

interface Failure {
  readonly mayRetry: boolean
  readonly why: string
}

function refusal(status: number): Failure {
  if (status >= 300 && status < 400) {
    return { mayRetry: false, why: `it answered ${status}, and redirects are not followed; write the final address` }
  }
  return { mayRetry: status >= 500 || status === 429 || status === 408, why: `it answered ${status}` }
}

/** An address may be a secret, so that messages which quote it are not passed on. */
function causeOf(error: unknown): string {
  const { cause } = error as { readonly cause?: { readonly code?: unknown } }
  return typeof cause?.code === 'string' ? `the connection failed with ${cause.code}` : 'the connection failed'
}

function pick({ text, link }: { readonly text: string; readonly link: string }) {
  return { text, link }
}
