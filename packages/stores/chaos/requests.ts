/** Requests of clients that call without a pause, through a balancer, and write down what they are answered. */
import { eventsIn } from './events.ts'
import type { AnswerKind, Happened } from './history.ts'

/** An answer, as far as it is written down. */
export interface Answer {
  readonly kind: AnswerKind
  readonly value?: string
  /** Reason for which there is no result. */
  readonly reason?: string
}

/** A client, and where it writes down what happens. */
export interface ClientOptions {
  readonly name: string
  readonly url: string
  /** Milliseconds after which a client gives up a call: longer than any may take. */
  readonly patienceMs: number
  /** Milliseconds between two calls. */
  readonly pauseMs: number
  /** True when no more calls are to be made. */
  isOver(): boolean
  write(entry: Happened): void
}

/** A client during one call, which the signal ends. */
export type Caller = ClientOptions & { readonly signal: AbortSignal }

/** Headers of a POST. */
export const json = { 'content-type': 'application/json', accept: 'application/json, text/event-stream' }

/** Makes call after call, each with a deadline. */
export async function repeat(
  options: ClientOptions,
  make: (call: string, caller: Caller) => Promise<Answer>,
): Promise<void> {
  const { name, patienceMs, pauseMs, isOver, write } = options
  for (let number = 1; !isOver(); number++) {
    const call = `${name}-${number}`
    write({ what: 'call', call, client: name })
    const caller = { ...options, signal: AbortSignal.timeout(patienceMs) }
    const answer = await make(call, caller).catch(
      (error: unknown): Answer => ({ kind: kindOf(error), reason: `${error}` }),
    )
    write({ what: 'answer', call, ...answer })
    await wait(pauseMs)
  }
}

function kindOf(error: unknown): AnswerKind {
  return error instanceof Error && error.name === 'TimeoutError' ? 'none' : 'unknown'
}

/** Sends a message; one that takes longer than its own limit is broken off, so that it can be sent to another process. */
export function post(
  { url, signal }: Caller,
  headers: Record<string, string>,
  message: object,
  limitMs?: number,
): Promise<Response> {
  const body = JSON.stringify({ jsonrpc: '2.0', ...message })
  return fetch(url, { method: 'POST', headers, body, signal: limited(signal, limitMs) })
}

/** A signal that ends with another one, or after a time, which is no timeout of the call. */
export function limited(signal: AbortSignal, limitMs: number | undefined): AbortSignal {
  if (limitMs === undefined) return signal
  const controller = new AbortController()
  setTimeout(() => controller.abort(new Error(`Broken off after ${limitMs} ms`)), limitMs).unref()
  return AbortSignal.any([signal, controller.signal])
}

/** The id of the last event of a stream. */
export interface Position {
  last: string
  /** Is told of each event with an id. */
  onEvent?(id: string): void
}

/** The answer in a response; undefined if it ends before. */
export async function answerIn(
  response: Response,
  position: Position = { last: '' },
  onMessage: (message: Message) => Promise<void> | void = () => {},
): Promise<Answer | undefined> {
  if (response.headers.get('content-type')?.startsWith('application/json')) return answerOf(await response.json())
  for await (const { id, data } of eventsIn(response)) {
    if (id !== '') {
      position.last = id
      position.onEvent?.(id)
    }
    const message = data === '' ? {} : (JSON.parse(data) as Message)
    if (message.result || message.error) return answerOf(message)
    await onMessage(message)
  }
  return undefined
}

/** A message, as far as it is read here. */
export interface Message {
  readonly id?: unknown
  readonly method?: string
  readonly result?: {
    readonly content?: readonly { readonly text?: string }[]
    readonly isError?: boolean
    readonly inputRequests?: { readonly [key: string]: object }
    readonly requestState?: string
  }
  readonly error?: object
}

/** The answer that a message is. */
export function answerOf(message: unknown): Answer {
  const { result } = message as Message
  const text = result?.content?.[0]?.text
  return result && result.isError !== true && text !== undefined
    ? { kind: 'result', value: text }
    : { kind: 'error', reason: JSON.stringify(message).slice(0, 200) }
}

/** The kind of an answer with a status of failure: only some of them say that nothing was done. */
export async function refusedBy(response: Response): Promise<Answer> {
  const text = await response.text()
  const { status } = response
  return {
    kind: [503, 429, 404].includes(status) ? 'refused' : 'unknown',
    reason: `status ${status} ${text.slice(0, 120)}`,
  }
}

/** Waits. */
export function wait(ms: number): Promise<void> {
  return new Promise((resolve) => setTimeout(resolve, ms))
}
