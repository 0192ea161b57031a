/** Checks that hold wherever a server and a client run; web standards only, so that they run there as well. */
import { type Client, type ClientOptions, connect, type RequestOptions } from '@trunkline/mcp'
import { gate } from '../gate.ts'
import { options } from './definition.ts'

/** A server of the definition, and the way to it. */
export interface Place {
  readonly url: `http${string}`
  readonly fetch?: (url: string, init: RequestInit) => Promise<Response>
}

/** Rejects with what is wrong. */
export type Check = (place: Place) => Promise<void>

const [handshake, stateless] = ['2025-11-25', '2026-07-28'] as const
const post = { 'content-type': 'application/json', accept: 'application/json, text/event-stream' }

/** Every check by what it finds out; each needs a definition of its own. */
export const checks: { readonly [name: string]: Check } = {
  'a request that explains itself is answered': answers(stateless),
  'a session answers': answers(handshake),
  'a request that explains itself can ask the user': asks(stateless),
  'a session can ask the user': asks(handshake),
  'a listener is told of changes': tells(stateless),
  'the stream of a session tells of changes': tells(handshake),
  'progress comes before the answer': progresses(stateless),
  'progress comes before the answer in a session': progresses(handshake),

  'a client that goes away before the answer cancels its request': leaves({ streams: false }),
  'a client that goes away while the answer streams cancels its request': leaves({ streams: true }),

  async 'a session that is deleted is gone'(place) {
    const clientInfo = { name: 'raw', version: '1' }
    const params = { protocolVersion: handshake, capabilities: {}, clientInfo }
    const opened = await send(place, { body: { id: 0, method: 'initialize', params } })
    const session = { 'mcp-session-id': opened.headers.get('mcp-session-id') ?? '', 'mcp-protocol-version': handshake }
    const ping = { body: { id: 1, method: 'ping' }, headers: session }
    same((await send(place, ping)).status, 200)
    same((await send(place, { method: 'DELETE', headers: session })).status, 200)
    same((await send(place, ping)).status, 404)
  },

  async 'a page of another origin is refused'(place) {
    same((await send(place, { body: {}, headers: { origin: 'https://evil.example' } })).status, 403)
  },

  async 'what is not JSON is refused'(place) {
    same((await send(place, { body: {}, headers: { 'content-type': 'text/plain' } })).status, 415)
  },

  async 'what is too large is refused'(place) {
    same((await send(place, { body: { padding: 'x'.repeat(options.limits.maxMessageBytes) } })).status, 413)
  },
}

function answers(revision: string): Check {
  return async (place) => {
    await using mcp = await open(place, revision)
    same(mcp.revision, revision)
    same(await textOf(mcp, 'echo', { text: 'søt' }), 'søt')
  }
}

function asks(revision: string): Check {
  return async (place) => {
    const elicitation = () => ({ action: 'accept', content: { name: 'Ada' } }) as const
    await using mcp = await open(place, revision, { elicitation })
    same(await textOf(mcp, 'greet'), 'Hello, Ada!')
  }
}

function tells(revision: string): Check {
  return async (place) => {
    await using mcp = await open(place, revision)
    const told = gate<unknown>()
    await using _watch = await mcp.watch({ tools: true }, told.open)
    await mcp.tools.call('toggle', {})
    same(await told.promise, { kind: 'tools' })
  }
}

function progresses(revision: string): Check {
  return async (place) => {
    await using mcp = await open(place, revision)
    // the tool waits for what the client does when it hears of the progress
    const heard = gate()
    const work = textOf(mcp, 'work', {}, { onProgress: () => heard.open() })
    await heard.promise
    await mcp.tools.call('finish', {})
    same(await work, 'done')
  }
}

function leaves(input: { readonly streams: boolean }): Check {
  return async (place) => {
    await using mcp = await open(place, stateless)
    const leave = new AbortController()
    const left = mcp.tools.call('hang', input, { signal: leave.signal }).catch(String)
    await mcp.tools.call('when hanging', {})
    leave.abort('enough')
    same(await left, 'enough')
    same(await textOf(mcp, 'when aborted'), 'aborted')
  }
}

function open({ url, fetch }: Place, revision: string, more: ClientOptions = {}): Promise<Client> {
  return connect(url, { ...more, revisions: [revision], http: fetch ? { fetch } : {} })
}

async function textOf(mcp: Client, tool: string, input: object = {}, more: RequestOptions = {}): Promise<unknown> {
  const [first] = (await mcp.tools.call(tool, input, more)).content
  return first && 'text' in first ? first.text : first
}

interface Sent {
  readonly method?: string
  readonly body?: object
  readonly headers?: { readonly [name: string]: string }
}

/** Sends something by hand and reads the whole answer, so that the connection is free again. */
async function send({ url, fetch: carry = fetch }: Place, { method = 'POST', body, headers }: Sent): Promise<Response> {
  const text = body && JSON.stringify({ jsonrpc: '2.0', ...body })
  const response = await carry(url, { method, headers: { ...post, ...headers }, ...(text && { body: text }) })
  await response.text()
  return response
}

function same(actual: unknown, expected: unknown): void {
  const [found, wanted] = [JSON.stringify(actual), JSON.stringify(expected)]
  if (found !== wanted) throw new Error(`Expected ${wanted}, found ${found}`)
}
