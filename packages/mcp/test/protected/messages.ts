/** Messages of callers of every kind. */
import type { FetchHandler } from '../../src/http.ts'
import { post } from '../http/raw.ts'

const prefix = 'io.modelcontextprotocol'
const newest = '2026-07-28'

/** A request that explains itself, and the headers that go with it. */
export function alone(method: string, params: Record<string, unknown>) {
  const meta = { [`${prefix}/protocolVersion`]: newest, [`${prefix}/clientCapabilities`]: { elicitation: {} } }
  const name = params.name ?? params.uri
  return {
    message: { jsonrpc: '2.0', id: 1, method, params: { ...params, _meta: meta } },
    headers: {
      'mcp-protocol-version': newest,
      'mcp-method': method,
      ...(typeof name === 'string' && { 'mcp-name': name }),
    },
  }
}

/** The first request of a session. */
export function opening(protocolVersion: string) {
  const params = { protocolVersion, capabilities: {}, clientInfo: { name: 'raw', version: '1' } }
  return { jsonrpc: '2.0', id: 0, method: 'initialize', params }
}

/** Opens a session for a caller, and gives back the headers of its requests beside those of the caller. */
export async function openSession(handler: FetchHandler, caller: Record<string, string>, revision: string) {
  const { headers } = await post(handler, opening(revision), caller)
  const session = { 'mcp-session-id': headers.get('mcp-session-id') ?? '', 'mcp-protocol-version': revision }
  await post(handler, { jsonrpc: '2.0', method: 'notifications/initialized' }, { ...session, ...caller })
  return session
}

/** A request within a session. */
export function within(method: string, params: Record<string, unknown>, id: number | string = 1) {
  return { jsonrpc: '2.0', id, method, params }
}

/** Every request that takes a scope in the vault. */
export const scoped = [
  ['tools/call', { name: 'take', arguments: {} }],
  ['prompts/get', { name: 'persuade' }],
  ['resources/read', { uri: 'vault:inventory' }],
  ['resources/read', { uri: 'vault:boxes/7' }],
  ['completion/complete', { ref: { type: 'ref/prompt', name: 'persuade' }, argument: { name: 'guard', value: '' } }],
  [
    'completion/complete',
    { ref: { type: 'ref/resource', uri: 'vault:boxes/{number}' }, argument: { name: 'number', value: '' } },
  ],
] as const
