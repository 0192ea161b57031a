/** A WebSocket server on the loopback, just enough of one for tests. */
import { createHash } from 'node:crypto'
import { EventEmitter, once } from 'node:events'
import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import type { Duplex } from 'node:stream'
import { soon } from './soon.ts'

/** The server's end of one connection. */
export class SocketEnd {
  readonly protocol: string | undefined
  readonly received: string[] = []
  /** The code with which the client closed, once it did. */
  closedBy: number | undefined
  readonly #socket: Duplex
  readonly #events = new EventEmitter()
  #bytes = Buffer.alloc(0)

  constructor(socket: Duplex, protocol: string | undefined) {
    this.#socket = socket
    this.protocol = protocol
    socket.on('error', () => {})
    socket.on('data', (chunk: Buffer) => {
      this.#bytes = Buffer.concat([this.#bytes, chunk])
      while (this.#frame()) this.#events.emit('change')
    })
    socket.on('close', () => this.#events.emit('change'))
  }

  send(text: string): void {
    this.#write(0x1, Buffer.from(text))
  }

  sendBytes(bytes: Buffer): void {
    this.#write(0x2, bytes)
  }

  close(code: number, reason = ''): void {
    this.#write(0x8, Buffer.concat([Buffer.of(code >> 8, code & 0xff), Buffer.from(reason)]))
    this.#socket.end()
  }

  destroy(): void {
    this.#socket.destroy()
  }

  /** Stops reading, or goes on. */
  hold(isHeld: boolean): void {
    if (isHeld) this.#socket.pause()
    else this.#socket.resume()
  }

  async until(holds: () => boolean): Promise<void> {
    while (!holds()) await soon(once(this.#events, 'change'), 'something to change')
  }

  #frame(): boolean {
    const bytes = this.#bytes
    if (bytes.length < 2) return false
    const [short, start] = [bytes.readUInt8(1) & 0x7f, { 126: 4, 127: 10 }[bytes.readUInt8(1) & 0x7f] ?? 2]
    if (bytes.length < start + 4) return false
    const length = start === 2 ? short : start === 4 ? bytes.readUInt16BE(2) : Number(bytes.readBigUInt64BE(2))
    const mask = bytes.subarray(start, start + 4)
    if (bytes.length < start + 4 + length) return false
    const payload = Buffer.from(bytes.subarray(start + 4, start + 4 + length))
    for (let at = 0; at < length; at++) payload[at] = (payload[at] as number) ^ (mask[at % 4] as number)
    this.#bytes = bytes.subarray(start + 4 + length)
    this.#take(bytes.readUInt8(0) & 0x0f, payload)
    return true
  }

  #take(kind: number, payload: Buffer): void {
    if (kind === 0x1) this.received.push(payload.toString('utf8'))
    if (kind !== 0x8) return
    this.closedBy = payload.length >= 2 ? payload.readUInt16BE(0) : 1005
    this.#events.emit('closing')
  }

  /** Agrees when the client closes. */
  agree(): this {
    this.#events.once('closing', () => this.close(this.closedBy === 1005 ? 1000 : (this.closedBy as number)))
    return this
  }

  #write(kind: number, payload: Buffer): void {
    const head =
      payload.length < 126
        ? Buffer.of(0x80 | kind, payload.length)
        : Buffer.from([0x80 | kind, 127, 0, 0, 0, 0, 0, 0, 0, 0])
    if (payload.length >= 126) head.writeBigUInt64BE(BigInt(payload.length), 2)
    this.#socket.write(Buffer.concat([head, payload]))
  }
}

export interface SocketServer extends AsyncDisposable {
  readonly url: string
}

/** Starts a server that hands over its end of each connection. */
export async function socketServer(connected: (end: SocketEnd) => void): Promise<SocketServer> {
  const server = createServer((_, response) => response.writeHead(426).end())
  const sockets = new Set<Duplex>()
  server.on('upgrade', ({ headers }, socket) => {
    const key = `${headers['sec-websocket-key']}258EAFA5-E914-47DA-95CA-C5AB0DC85B11`
    const protocol = headers['sec-websocket-protocol']
    sockets.add(socket)
    socket.write(
      [
        'HTTP/1.1 101 Switching Protocols',
        'Upgrade: websocket',
        'Connection: Upgrade',
        `Sec-WebSocket-Accept: ${createHash('sha1').update(key).digest('base64')}`,
        ...(protocol === undefined ? [] : [`Sec-WebSocket-Protocol: ${protocol}`]),
        '\r\n',
      ].join('\r\n'),
    )
    connected(new SocketEnd(socket, protocol))
  })
  await once(server.listen(0, '127.0.0.1'), 'listening')
  return {
    url: `ws://127.0.0.1:${(server.address() as AddressInfo).port}/mcp`,
    async [Symbol.asyncDispose]() {
      for (const socket of sockets) socket.destroy()
      server.closeAllConnections()
      await new Promise((resolve) => server.close(resolve))
    },
  }
}
