/** Messages of a client of each revision, put together by hand. */
import { revisions } from '@trunkline/mcp/testing'

export type Headers = Readonly<Record<string, string>>

/** Something to post, and the headers that belong to it. */
export interface Letter {
  readonly headers: Headers
  readonly body: string
}

/** The revision whose requests explain themselves; all others open with a handshake. */
export const stateless = '2026-07-28'
export const handshakes = revisions.filter((revision) => revision !== stateless)

export const jsonHeaders: Headers = {
  'content-type': 'application/json',
  accept: 'application/json, text/event-stream',
}

const prefix = 'io.modelcontextprotocol'

/** The metadata by which a request explains itself. */
export const meta = { [`${prefix}/protocolVersion`]: stateless, [`${prefix}/clientCapabilities`]: {} }

/** A request that explains itself, with the headers that repeat a part of it. */
export function standalone(method: string, params: object = {}, id: unknown = 1): Letter {
  const { name, uri } = params as { name?: string; uri?: string }
  const named = name ?? uri
  return {
    headers: {
      ...jsonHeaders,
      'mcp-protocol-version': stateless,
      'mcp-method': method,
      ...(named !== undefined && { 'mcp-name': named }),
    },
    body: JSON.stringify({ jsonrpc: '2.0', id, method, params: { ...params, _meta: meta } }),
  }
}

/** A call of a tool that explains itself. */
export function toolCall(name: string, args: object = {}, id: unknown = 1): Letter {
  return standalone('tools/call', { name, arguments: args }, id)
}

/** A request to be told of changed tools for as long as the connection lasts. */
export function listen(id: unknown = 1): Letter {
  return standalone('subscriptions/listen', { notifications: { toolsListChanged: true } }, id)
}

/** The request by which a session opens. */
export function opening(revision: string): Letter {
  const params = { protocolVersion: revision, capabilities: {}, clientInfo: { name: 'raw', version: '1' } }
  return { headers: jsonHeaders, body: JSON.stringify({ jsonrpc: '2.0', id: 0, method: 'initialize', params }) }
}

/** A message within a session. */
export function within(session: Headers, message: object): Letter {
  return { headers: { ...jsonHeaders, ...session }, body: JSON.stringify({ jsonrpc: '2.0', ...message }) }
}

/** A call of a tool within a session. */
export function sessionCall(session: Headers, name: string, args: object = {}, id: unknown = 1): Letter {
  return within(session, { id, method: 'tools/call', params: { name, arguments: args } })
}
