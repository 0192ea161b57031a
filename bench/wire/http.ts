import type { Message } from './messages.ts'
import type { Shape } from './shapes.ts'

/** Address and shape of a server over HTTP. */
export interface Address {
  readonly port: number
  readonly shape: Shape
  /** Accept header of the request. @default both kinds of answer, as the specification asks */
  readonly accept?: string | undefined
  /** The session to speak in, once there is one. */
  readonly session?: string | undefined
}

/** The path every contestant serves. */
export const path = '/mcp'

const bothKinds = 'application/json, text/event-stream'

/** The headers a client of this shape sends with a message. */
export function headersOf(address: Address, message: Message): Record<string, string> {
  const { shape, session, accept = bothKinds } = address
  const headers: Record<string, string> = { 'content-type': 'application/json', accept }
  if (message.method !== 'initialize') headers['mcp-protocol-version'] = shape.revision
  if (session !== undefined) headers['mcp-session-id'] = session
  if (shape.handshake) return headers
  headers['mcp-method'] = message.method
  if (typeof message.params.name === 'string') headers['mcp-name'] = message.params.name
  return headers
}

/** The bytes of a POST, ready for a socket. */
export function postOf(address: Address, message: Message): string {
  const body = JSON.stringify(message)
  return (
    head('POST', address.port, { ...headersOf(address, message), 'content-length': String(Buffer.byteLength(body)) }) +
    body
  )
}

/** The bytes of the GET that opens a session's stream. */
export function streamOf(address: Address): string {
  const { port, shape, session = '' } = address
  const headers = { accept: 'text/event-stream', 'mcp-protocol-version': shape.revision, 'mcp-session-id': session }
  return head('GET', port, headers)
}

function head(method: string, port: number, headers: Readonly<Record<string, string>>): string {
  const lines = Object.entries(headers).map(([name, value]) => `${name}: ${value}`)
  return [`${method} ${path} HTTP/1.1`, `host: 127.0.0.1:${port}`, ...lines, '', ''].join('\r\n')
}
