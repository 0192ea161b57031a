import type { IncomingMessage } from 'node:http'
import type { Duplex } from 'node:stream'
import type { Relay } from '@trunkline/mcp/relay'
import { streamChannel } from '@trunkline/mcp/stdio'
import type { Principal } from '../act/act.ts'
import { lineHeaders, lineProtocol } from './bridge/line-protocol.ts'
import type { LiveConnections } from './live-connections.ts'
import { ownAddresses } from './own-addresses.ts'
import { ClientRefused, ClientRevoked } from './principals/principals.ts'
import { bearerOf, isSameSecret } from './principals/same-secret.ts'
import type { ClientProgram } from './processes/client-program.ts'
import type { ConnectedProcesses } from './processes/connected-processes.ts'
import { noteAuthenticated } from './unauthenticated.ts'

/** The clients that connections of lines are opened for. */
export interface LineClients {
  /** The principal of a client by its name and the program that started it; throws where it may not connect. */
  connect(client: { readonly name: string; readonly program: ClientProgram | undefined }): Promise<Principal>
  /** True if a client may still be connected. */
  isKnown(principal: string): boolean
  /** The connection of a client is closed. */
  closed(principal: string): void
}

/** Admission of line connections, and the relays they reach. */
export interface LineParts {
  /** Line connections, which need this secret, and are each for one of the person's programs. @default none */
  readonly lines?: {
    readonly token: string
    readonly clients: LineClients
  }
  /** Remembers the processes that call. @default none are */
  readonly connections?: ConnectedProcesses
  /** Resolves when the offers are known, for callers of a directory if one is named. @default they are known */
  ready?(project?: string): Promise<void>
  /** The relay at an address below `/mcp`; undefined for an unknown address. */
  front(path: string): Relay | undefined
}

/** Serves a connection that asked to speak in lines; any other upgrade is refused in a sentence. */
export async function serveUpgraded(
  request: IncomingMessage,
  socket: Duplex,
  { lines, front, ready, live, connections }: LineParts & { readonly live: LiveConnections },
): Promise<void> {
  socket.on('error', () => socket.destroy())
  const refusal = refusalOf(request, lines?.token)
  if (refusal || !lines) return refuse(socket, ...(refusal ?? nothingHere(request)))
  noteAuthenticated(request.socket)
  const { headers, url = '/' } = request
  try {
    const project = projectNamed(headers)
    await ready?.(project)
    const offered = front(url)
    if (!offered) return refuse(socket, ...nothingHere(request))
    const program = await connections?.clientAt(request.socket)
    const principal = await lines.clients.connect({ name: String(headers[lineHeaders.client] ?? 'stdio'), program })
    socket.once('close', () => lines.clients.closed(principal.id))
    if (connections && !(await connections.note(request.socket, 'lines', principal))) return void socket.destroy()
    socket.write(`HTTP/1.1 101 Switching Protocols\r\nConnection: Upgrade\r\nUpgrade: ${lineProtocol}\r\n\r\n`)
    live.add(socket, () => lines.clients.isKnown(principal.id))
    // it may have been accepted while its process was looked at, and connects again
    if (!lines.clients.isKnown(principal.id)) return void socket.destroy()
    const claims = claimsOf(project, connections?.projectsAt(request.socket))
    offered.serve(streamChannel(socket, socket, { sender: { principal: principal.id, claims } }))
  } catch (error) {
    const status = error instanceof ClientRevoked || error instanceof ClientRefused ? 403 : 400
    refuse(socket, status, error instanceof Error ? error.message : String(error))
  }
}

/** The project that a caller names, and those that its processes work in. */
export function claimsOf(project: string | undefined, workingIn: readonly string[] = []) {
  return { ...(project !== undefined && { project }), ...(workingIn.length > 0 && { workingIn }) }
}

/** The directory that a caller says it works in, as a header holds it. */
export function projectIn(header: string | undefined): string | undefined {
  if (header === undefined || header === '') return undefined
  try {
    return decodeURIComponent(header)
  } catch {
    throw new Error(`Cannot read the header "${lineHeaders.project}": encode the directory as addresses are`)
  }
}

/** The same of all headers of a request. */
export function projectNamed(headers: IncomingMessage['headers']): string | undefined {
  const header = headers[lineHeaders.project]
  return projectIn(Array.isArray(header) ? header[0] : header)
}

type Refusal = readonly [status: number, message: string]

function refusalOf(request: IncomingMessage, token: string | undefined): Refusal | undefined {
  const { headers } = request
  if (headers.upgrade?.toLowerCase() !== lineProtocol) return [400, `This can only be upgraded to ${lineProtocol}`]
  if (!ownAddresses(request).includes(headers.host ?? '') || headers.origin !== undefined) {
    return [403, 'Pages may not connect here']
  }
  if (token !== undefined && isSameSecret(bearerOf(headers.authorization), token)) return undefined
  return [401, 'The token is not known here']
}

function nothingHere({ url }: IncomingMessage): Refusal {
  return [404, `There is nothing at ${url}`]
}

function refuse(socket: Duplex, status: number, message: string): void {
  const length = Buffer.byteLength(message)
  // one that does not end its side would stay open
  socket.resume().once('finish', () => socket.destroy())
  socket.end(`HTTP/1.1 ${status} Refused\r\nConnection: close\r\nContent-Length: ${length}\r\n\r\n${message}`)
}
