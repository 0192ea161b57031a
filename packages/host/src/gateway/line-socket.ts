import { createHash, timingSafeEqual } from 'node:crypto'
import type { IncomingMessage } from 'node:http'
import type { Duplex } from 'node:stream'
import type { Relay } from '@trunkline/mcp/relay'
import { streamChannel } from '@trunkline/mcp/stdio'
import type { Principal } from '../acts/act.ts'

/** The protocol that a connection is upgraded to: one message per line, as over stdio. */
export const lineProtocol = 'mcp-lines'

/** What `trunkline stdio` says of itself when it connects. */
export const lineHeaders = { client: 'trunkline-client', project: 'trunkline-project' } as const

/** Who may open connections of lines, and what they reach. */
export interface LineParts {
  /** Whoever has this secret may open a connection for one of the person's programs. @default nobody may */
  readonly lines?: { readonly token: string; named(client: string): Promise<Principal> }
  /** Resolves when it is known what is offered. @default it is known */
  ready?(): Promise<void>
  /** What is offered at an address below `/mcp`; nothing for an address that is none. */
  front(path: string): Relay | undefined
}

/** Serves a connection that asked to speak in lines; what asks for anything else is refused in a sentence. */
export async function serveUpgraded(
  request: IncomingMessage,
  socket: Duplex,
  { lines, front, ready }: LineParts,
): Promise<void> {
  socket.on('error', () => socket.destroy())
  await ready?.()
  const { headers, url = '/' } = request
  const refused = refusalOf(request, lines?.token)
  const offered = refused === undefined ? front(url) : undefined
  const refusal = refused ?? (offered ? undefined : ([404, `There is nothing at ${url}`] as const))
  if (refusal || !offered || !lines) return refuse(socket, ...(refusal ?? ([404, 'There is nothing here'] as const)))
  try {
    const principal = await lines.named(String(headers[lineHeaders.client] ?? 'stdio'))
    const project = headers[lineHeaders.project]
    socket.write(`HTTP/1.1 101 Switching Protocols\r\nConnection: Upgrade\r\nUpgrade: ${lineProtocol}\r\n\r\n`)
    const claims = typeof project === 'string' ? { project: decodeURIComponent(project) } : {}
    offered.serve(streamChannel(socket, socket, { sender: { principal: principal.id, claims } }))
  } catch (error) {
    refuse(socket, 400, error instanceof Error ? error.message : String(error))
  }
}

function refusalOf(
  { headers, socket }: IncomingMessage,
  token: string | undefined,
): readonly [number, string] | undefined {
  if (headers.upgrade?.toLowerCase() !== lineProtocol) return [400, `This can only be upgraded to ${lineProtocol}`]
  const own = ['127.0.0.1', 'localhost', '[::1]'].map((name) => `${name}:${socket.localPort}`)
  if (!own.includes(headers.host ?? '') || headers.origin !== undefined) return [403, 'Pages may not connect here']
  const [, given = ''] = /^Bearer (\S+)$/i.exec(headers.authorization ?? '') ?? []
  if (token === undefined || !timingSafeEqual(hashOf(given), hashOf(token))) return [401, 'The token is not known here']
  return undefined
}

function refuse(socket: Duplex, status: number, message: string): void {
  const length = Buffer.byteLength(message)
  socket.end(`HTTP/1.1 ${status} Refused\r\nConnection: close\r\nContent-Length: ${length}\r\n\r\n${message}`)
}

function hashOf(text: string): Buffer {
  return createHash('sha256').update(text).digest()
}
