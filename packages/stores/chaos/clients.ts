/** Clients that call without a pause, through a balancer, and write down what they are answered. */
import { eventsIn } from './events.ts'
import type { AnswerKind, Happened } from './history.ts'

/** An answer, as far as it is written down. */
interface Answer {
  readonly kind: AnswerKind
  readonly value?: string
  /** Reason for which there is no result. */
  readonly reason?: string
}

/** A client, and where it writes down what happens. */
export interface ClientOptions {
  readonly name: string
  readonly url: string
  /** Milliseconds after which a client takes the outcome of a call to be unknown. */
  readonly patienceMs: number
  /** True when no more calls are to be made. */
  isOver(): boolean
  write(entry: Happened): void
}

/** A client during one call, which the signal ends. */
type Caller = ClientOptions & { readonly signal: AbortSignal }

const json = { 'content-type': 'application/json', accept: 'application/json, text/event-stream' }
const stateless = '2026-07-28'
const handshake = '2025-11-25'
const betweenCallsMs = 20

/** Calls without a session until it is told to end. */
export async function runStateless(options: ClientOptions): Promise<void> {
  await repeat(options, async (call, caller) => {
    const prefix = 'io.modelcontextprotocol'
    const meta = { [`${prefix}/protocolVersion`]: stateless, [`${prefix}/clientCapabilities`]: {} }
    const params = { name: 'pay', arguments: { call }, _meta: meta }
    const headers = { ...json, 'mcp-protocol-version': stateless, 'mcp-method': 'tools/call', 'mcp-name': 'pay' }
    const response = await post(caller, headers, { id: call, method: 'tools/call', params })
    if (response.status !== 200) return refusedBy(response)
    return (await answerIn(response)) ?? { kind: 'unknown', reason: 'no answer in the response' }
  })
}

/** Calls in a session, answering a question in the middle of each call, until it is told to end. */
export async function runSession(options: ClientOptions): Promise<void> {
  let session: SessionHeaders | undefined
  await repeat(options, async (call, caller) => {
    session ??= await openSession(caller)
    if (!session) return { kind: 'refused', reason: 'no session could be opened' }
    const params = { name: 'ask', arguments: { call } }
    const response = await post(caller, { ...json, ...session }, { id: call, method: 'tools/call', params })
    const key = session['mcp-session-id']
    if (response.status === 404) {
      options.write({ what: 'read', key })
      session = undefined
      return { kind: 'refused', reason: 'the session is gone' }
    }
    if (response.status !== 200) return refusedBy(response)
    options.write({ what: 'read', key, value: 1 })
    return finish(caller, session, response)
  })
}

type SessionHeaders = { readonly 'mcp-session-id': string; readonly 'mcp-protocol-version': string }

async function openSession(caller: Caller): Promise<SessionHeaders | undefined> {
  const clientInfo = { name: caller.name, version: '1' }
  const params = { protocolVersion: handshake, capabilities: { elicitation: {} }, clientInfo }
  const response = await post(caller, json, { id: 0, method: 'initialize', params })
  const id = response.headers.get('mcp-session-id')
  await response.text()
  if (response.status !== 200 || id === null) return undefined
  const session = { 'mcp-session-id': id, 'mcp-protocol-version': handshake }
  const { status } = await post(caller, { ...json, ...session }, { method: 'notifications/initialized' })
  if (status !== 202) return undefined
  caller.write({ what: 'stored', key: id, value: 1 })
  return session
}

/** Reads the stream of a call to its answer; a stream that breaks is resumed, perhaps at another process. */
async function finish(caller: Caller, session: SessionHeaders, first: Response): Promise<Answer> {
  const position: Position = { last: '' }
  let response = first
  for (;;) {
    const answer = await answerIn(response, position, (id) => reply(caller, session, id)).catch(() => undefined)
    if (answer) return answer
    if (position.last === '') return { kind: 'unknown', reason: 'the stream broke before its first event' }
    const headers = { ...json, ...session, accept: 'text/event-stream', 'last-event-id': position.last }
    response = await fetch(caller.url, { headers, signal: caller.signal })
    if (response.status === 503) continue
    if (response.status !== 200) return { kind: 'unknown', reason: `resuming: status ${response.status}` }
  }
}

/** Answers a question; where that cannot be sent, the call is not answered either, and its outcome is unknown. */
async function reply(caller: Caller, session: SessionHeaders, id: unknown): Promise<void> {
  const result = { action: 'accept', content: { sure: true } }
  await post(caller, { ...json, ...session }, { id, result })
}

/** Id of the last event of a stream. */
interface Position {
  last: string
}

/** The answer in a response; undefined if it ends before. */
async function answerIn(
  response: Response,
  position: Position = { last: '' },
  onQuestion: (id: unknown) => Promise<void> = async () => {},
): Promise<Answer | undefined> {
  if (response.headers.get('content-type')?.startsWith('application/json')) return answerOf(await response.json())
  for await (const { id, data } of eventsIn(response)) {
    if (id !== '') position.last = id
    const message = data === '' ? {} : (JSON.parse(data) as Message)
    if (message.method === 'elicitation/create') await onQuestion(message.id)
    else if (message.result || message.error) return answerOf(message)
  }
  return undefined
}

interface Message {
  readonly id?: unknown
  readonly method?: string
  readonly result?: { readonly content?: readonly { readonly text?: string }[]; readonly isError?: boolean }
  readonly error?: object
}

function answerOf(message: unknown): Answer {
  const { result } = message as Message
  const text = result?.content?.[0]?.text
  return result && result.isError !== true && text !== undefined
    ? { kind: 'result', value: text }
    : { kind: 'error', reason: JSON.stringify(message).slice(0, 200) }
}

/** The kind of an answer with a status of failure: only some of them say that nothing was done. */
async function refusedBy(response: Response): Promise<Answer> {
  const text = await response.text()
  const { status } = response
  return {
    kind: [503, 429, 404].includes(status) ? 'refused' : 'unknown',
    reason: `status ${status} ${text.slice(0, 120)}`,
  }
}

function post({ url, signal }: Caller, headers: Record<string, string>, message: object): Promise<Response> {
  return fetch(url, { method: 'POST', headers, body: JSON.stringify({ jsonrpc: '2.0', ...message }), signal })
}

/** Makes call after call, each with a deadline. */
async function repeat(options: ClientOptions, make: (call: string, caller: Caller) => Promise<Answer>): Promise<void> {
  const { name, patienceMs, isOver, write } = options
  for (let number = 1; !isOver(); number++) {
    const call = `${name}-${number}`
    write({ what: 'call', call, client: name })
    const caller = { ...options, signal: AbortSignal.timeout(patienceMs) }
    const answer = await make(call, caller).catch(
      (error: unknown): Answer => ({ kind: 'unknown', reason: reasonOf(error) }),
    )
    write({ what: 'answer', call, ...answer })
    await new Promise((resolve) => setTimeout(resolve, betweenCallsMs))
  }
}

function reasonOf(error: unknown): string {
  return error instanceof Error && error.name === 'TimeoutError' ? 'no answer in time' : 'the connection broke'
}
