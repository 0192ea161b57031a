/** HTTP as it is: requests put together by hand, answers as they came. */
import type { FetchHandler } from '@trunkline/mcp/http'

const address = 'http://localhost/mcp'

interface Answer {
  readonly id?: string | number
  readonly result?: { readonly [name: string]: unknown }
  readonly error?: { readonly code: number; readonly message: string }
}

export interface Posted {
  readonly status: number
  readonly headers: Headers
  readonly text: string
  /** The body, or the data of the last event; nothing when there was neither. */
  readonly message: Answer | undefined
}

/** Posts one message; header names and values are sent as given. */
export async function post(
  handler: FetchHandler,
  message: object,
  headers: Record<string, string> = {},
): Promise<Posted> {
  const own = { 'content-type': 'application/json', accept: 'application/json, text/event-stream', ...headers }
  return read(await handler(new Request(address, { method: 'POST', headers: own, body: JSON.stringify(message) })))
}

/** Comes back to a stream after the event with this id. */
export async function resume(
  handler: FetchHandler,
  lastEventId: string,
  headers: Record<string, string>,
): Promise<Posted> {
  const own = { accept: 'text/event-stream', 'last-event-id': lastEventId, ...headers }
  return read(await handler(new Request(address, { headers: own })))
}

/** Opens a session in a revision, and gives back the headers that belong to it. */
export async function openSession(
  handler: FetchHandler,
  revision: string,
  capabilities: object = {},
): Promise<Record<string, string>> {
  const clientInfo = { name: 'raw', version: '1' }
  const params = { protocolVersion: revision, capabilities, clientInfo }
  const { headers } = await post(handler, { jsonrpc: '2.0', id: 0, method: 'initialize', params })
  const session = { 'mcp-session-id': headers.get('mcp-session-id') ?? '', 'mcp-protocol-version': revision }
  await post(handler, { jsonrpc: '2.0', method: 'notifications/initialized' }, session)
  return session
}

async function read(response: Response): Promise<Posted> {
  const { status, headers } = response
  const text = await response.text()
  const body =
    headers.get('content-type') === 'text/event-stream' ? (text.match(/(?<=^data: ).+$/gm)?.at(-1) ?? '') : text
  return { status, headers, text, message: body === '' ? undefined : JSON.parse(body) }
}
