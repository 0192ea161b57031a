import type { Shape } from './shapes.ts'

/** A JSON-RPC request or notification as the load generators send it. */
export interface Message {
  readonly jsonrpc: '2.0'
  readonly id?: number
  readonly method: string
  readonly params: Readonly<Record<string, unknown>>
}

/** Progress notices that the `steps` tool sends before its answer. */
export const progressNotices = 10

const clientInfo = { name: 'bench', version: '1.0.0' }

/** A call of the `echo` tool, which answers with its own text. */
export function echoCall(shape: Shape, id: number, text: string): Message {
  return request(shape, id, 'tools/call', { name: 'echo', arguments: { text } })
}

/** A call of the `steps` tool, which reports its progress before it answers `text`. */
export function stepsCall(shape: Shape, id: number, text: string): Message {
  const { params, ...call } = request(shape, id, 'tools/call', { name: 'steps', arguments: { text } })
  const meta = params._meta as Record<string, unknown> | undefined
  return { ...call, params: { ...params, _meta: { ...meta, progressToken: id } } }
}

/** A request for the first page of tools. */
export function listTools(shape: Shape, id: number): Message {
  return request(shape, id, 'tools/list', {})
}

/** A request to be told when the tools change, which the server holds open. */
export function listen(shape: Shape, id: number): Message {
  return request(shape, id, 'subscriptions/listen', { notifications: { toolsListChanged: true } })
}

/** The first message of a handshake. */
export function initialize(shape: Shape): Message {
  const params = { protocolVersion: shape.revision, capabilities: {}, clientInfo }
  return { jsonrpc: '2.0', id: 0, method: 'initialize', params }
}

/** The message that ends a handshake. */
export const initialized: Message = { jsonrpc: '2.0', method: 'notifications/initialized', params: {} }

function request(shape: Shape, id: number, method: string, params: Record<string, unknown>): Message {
  if (shape.handshake) return { jsonrpc: '2.0', id, method, params }
  const _meta = {
    'io.modelcontextprotocol/protocolVersion': shape.revision,
    'io.modelcontextprotocol/clientInfo': clientInfo,
    'io.modelcontextprotocol/clientCapabilities': {},
  }
  return { jsonrpc: '2.0', id, method, params: { ...params, _meta } }
}
