/** Clients with sessions. */
import { processHeader } from './balancer.ts'
import { eventsIn } from './events.ts'
import {
  type Answer,
  answerIn,
  type Caller,
  type ClientOptions,
  json,
  limited,
  type Message,
  type Position,
  post,
  refusedBy,
  repeat,
  wait,
} from './requests.ts'

const revision = '2025-11-25'
/** Milliseconds without an answer after which a stream is resumed, perhaps at another process. */
const silenceMs = 3_000
/** Milliseconds that a message of a client may take. */
const messageMs = 1_500

type SessionHeaders = { readonly 'mcp-session-id': string; readonly 'mcp-protocol-version': string }

/** Calls a tool that asks in the middle, until it is told to end. */
export async function runSession(options: ClientOptions): Promise<void> {
  await inSessions(options, 'ask', finish)
}

/** Calls a tool that ends only when it is cancelled, and cancels each call, until it is told to end. */
export async function runCancelling(options: ClientOptions): Promise<void> {
  await inSessions(options, 'hang', async ({ caller, session, response, call }) => {
    const begun = new Error('The call has begun')
    await answerIn(response, { last: '' }, () => Promise.reject(begun)).catch(() => {})
    const cancelled = { method: 'notifications/cancelled', params: { requestId: call } }
    const sent = await post(caller, { ...json, ...session }, cancelled, messageMs).catch(() => undefined)
    const by = sent?.headers.get(processHeader) ?? ''
    if (sent?.status === 202) options.write({ what: 'cancel', call, by })
    return { kind: 'unknown', reason: 'it was cancelled' }
  })
}

/** Reads the stream of a session and resumes it whenever it breaks, until it is told to end. */
export async function runWatcher(options: ClientOptions): Promise<void> {
  const { name, patienceMs, isOver, write } = options
  let session: SessionHeaders | undefined
  let last: string | undefined
  while (!isOver()) {
    const caller = { ...options, signal: AbortSignal.timeout(patienceMs) }
    try {
      session ??= await openSession(caller)
      if (session) last = await watch(caller, session, last)
    } catch {
      // the connection broke: resumed at another process
    }
    await wait(200)
  }

  async function watch(caller: Caller, open: SessionHeaders, after: string | undefined): Promise<string | undefined> {
    const stream = `${name} ${open['mcp-session-id']}`
    const headers = { ...open, accept: 'text/event-stream', ...(after !== undefined && { 'last-event-id': after }) }
    const response = await fetch(caller.url, { headers, signal: limited(caller.signal, silenceMs) })
    if (response.status === 404) session = undefined
    // what was seen last is lost: that is how a gap is told
    if (response.status === 400 || response.status === 404) write({ what: 'gap', stream })
    if (response.status !== 200) return response.status === 503 ? after : undefined
    last = after
    for await (const { id, data } of eventsIn(response)) {
      const [history = '', number = ''] = splitLast(id)
      if (last !== undefined && splitLast(last)[0] !== history) write({ what: 'gap', stream })
      if (id !== '') last = id
      if (data !== '') write({ what: 'message', stream, number: Number(number), isSparse: true })
    }
    return last
  }
}

/** The name of a log, and the number of an event in it. */
function splitLast(id: string): readonly string[] {
  const at = id.lastIndexOf('.')
  return [id.slice(0, at), id.slice(at + 1)]
}

/** A call whose response has begun. */
interface Begun {
  readonly caller: Caller
  readonly session: SessionHeaders
  readonly call: string
  readonly response: Response
}

/** Makes call after call in one session for as long as it lasts. */
async function inSessions(
  options: ClientOptions,
  name: string,
  make: (begun: Begun) => Promise<Answer>,
): Promise<void> {
  let session: SessionHeaders | undefined
  await repeat(options, async (call, caller) => {
    session ??= await openSession(caller)
    if (!session) return { kind: 'refused', reason: 'no session could be opened' }
    const key = session['mcp-session-id']
    const params = { name, arguments: { call }, _meta: { progressToken: call } }
    const response = await post(caller, { ...json, ...session }, { id: call, method: 'tools/call', params }, silenceMs)
    if (response.status === 404) {
      options.write({ what: 'read', key })
      session = undefined
      return { kind: 'refused', reason: 'the session is gone' }
    }
    if (response.status !== 200) return refusedBy(response)
    options.write({ what: 'read', key, value: 1 })
    return make({ caller, session, call, response })
  })
}

async function openSession(caller: Caller): Promise<SessionHeaders | undefined> {
  const clientInfo = { name: caller.name, version: '1' }
  const params = { protocolVersion: revision, capabilities: { elicitation: {} }, clientInfo }
  const response = await post(caller, json, { id: 0, method: 'initialize', params }, silenceMs)
  const id = response.headers.get('mcp-session-id')
  await response.text()
  if (response.status !== 200 || id === null) return undefined
  const session = { 'mcp-session-id': id, 'mcp-protocol-version': revision }
  const headers = { ...json, ...session }
  if ((await post(caller, headers, { method: 'notifications/initialized' }, silenceMs)).status !== 202) return undefined
  caller.write({ what: 'stored', key: id, value: 1 })
  const subscribe = { id: 1, method: 'resources/subscribe', params: { uri: 'till://paid' } }
  await (await post(caller, headers, subscribe, silenceMs)).text()
  return session
}

/** Reads the stream of a call to its answer; one that breaks or is silent is resumed, perhaps at another process. */
async function finish({ caller, session, call, response: first }: Begun): Promise<Answer> {
  const onEvent = (id: string): void => {
    const [stream = '', number = ''] = splitLast(id)
    caller.write({ what: 'message', stream, number: Number(number) })
  }
  const position: Position = { last: '', onEvent }
  let response: Response | undefined = first
  let isAccepted = false
  let resumed = ''
  const onMessage = async ({ method, id }: Message): Promise<void> => {
    if (!isAccepted && position.last !== '') caller.write({ what: 'accepted', call })
    isAccepted ||= position.last !== ''
    if (method === 'elicitation/create') await reply(caller, session, id)
  }
  for (;;) {
    const answer = response && (await answerIn(response, position, onMessage).catch(() => undefined))
    if (answer) return answer
    if (position.last === '') return { kind: 'unknown', reason: 'the stream broke before its first event' }
    if (caller.signal.aborted) return { kind: 'none', reason: `resumed with${resumed}` }
    await wait(100)
    const headers = { ...session, accept: 'text/event-stream', 'last-event-id': position.last }
    response = await fetch(caller.url, { headers, signal: limited(caller.signal, silenceMs) }).catch(() => undefined)
    resumed += ` ${response?.status ?? 'none'}`
    if (response?.status === 503) response = undefined
    if (response && response.status !== 200) return { kind: 'unknown', reason: `resuming: status ${response.status}` }
  }
}

/** Answers a question until that was accepted or refused: without its answer a call would wait. */
async function reply(caller: Caller, session: SessionHeaders, id: unknown): Promise<void> {
  const result = { action: 'accept', content: { sure: true } }
  for (;;) {
    const status = await statusOf(caller, session, { id, result })
    if (status !== undefined && status !== 503) return
    caller.signal.throwIfAborted()
    await wait(100)
  }
}

/** The status with which a message was answered; undefined if it was not, and may pass at another process. */
async function statusOf(caller: Caller, session: SessionHeaders, message: object): Promise<number | undefined> {
  try {
    return (await post(caller, { ...json, ...session }, message, messageMs)).status
  } catch {
    return undefined
  }
}
