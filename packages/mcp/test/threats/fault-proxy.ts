/** A TCP proxy that does to a connection what networks do. */
import { once } from 'node:events'
import type { AddressInfo } from 'node:net'
import { createServer, connect as dial, type Server, type Socket } from 'node:net'
import { setTimeout as wait } from 'node:timers/promises'

/** Something that happens to the bytes of one direction. */
export type Toxic = (bytes: AsyncIterable<Buffer>) => AsyncIterable<Buffer>

/** Faults of one connection, each way. */
export interface Faults {
  /** From the client to the server. */
  readonly up?: readonly Toxic[]
  /** From the server to the client. */
  readonly down?: readonly Toxic[]
}

/** Every piece arrives later. */
export const latency = (ms: number): Toxic =>
  async function* (bytes) {
    for await (const piece of bytes) {
      await wait(ms)
      yield piece
    }
  }

/** At most this many bytes pass each millisecond. */
export const bandwidth = (bytesPerMs: number): Toxic =>
  async function* (bytes) {
    for await (const piece of slicer(bytesPerMs)(bytes)) {
      await wait(1)
      yield piece
    }
  }

/** Bytes arrive in pieces of this size. */
export const slicer = (size: number): Toxic =>
  async function* (bytes) {
    for await (const piece of bytes) {
      for (let at = 0; at < piece.length; at += size) yield piece.subarray(at, at + size)
    }
  }

/** The connection ends in order after this many bytes. */
export const cut = (after: number): Toxic => breaking(after, 'end')

/** The connection is reset after this many bytes. */
export const reset = (after: number): Toxic => breaking(after, 'reset')

/** Stops all bytes after this many, without a word to either side. */
export const halfOpen = (after: number): Toxic =>
  async function* (bytes) {
    let left = after
    for await (const piece of bytes) {
      if (left > 0) yield piece.subarray(0, left)
      left -= Math.min(left, piece.length)
    }
  }

class Break {
  readonly how: 'end' | 'reset'

  constructor(how: 'end' | 'reset') {
    this.how = how
  }
}

function breaking(after: number, how: Break['how']): Toxic {
  return async function* (bytes) {
    if (after === 0) throw new Break(how)
    let left = after
    for await (const piece of bytes) {
      yield piece.subarray(0, left)
      left -= piece.length
      if (left <= 0) throw new Break(how)
    }
  }
}

/** Stands between a client and a server on this machine. */
export class FaultProxy implements AsyncDisposable {
  readonly #server: Server
  readonly #sockets = new Set<Socket>()
  /** Number of connections so far. */
  connections = 0
  /** Faults of the connection of this number, counted from zero. */
  faults: (connection: number) => Faults = () => ({})

  private constructor(port: number) {
    // what one side ends, the other must still be able to answer
    this.#server = createServer({ allowHalfOpen: true }, (client) => void this.#join(client, port))
  }

  static async to(port: number): Promise<FaultProxy> {
    const proxy = new FaultProxy(port)
    await once(proxy.#server.listen(0, '127.0.0.1'), 'listening')
    return proxy
  }

  get port(): number {
    return (this.#server.address() as AddressInfo).port
  }

  /** Ends every connection there is. */
  breakAll(): void {
    for (const socket of this.#sockets) socket.destroy()
  }

  async [Symbol.asyncDispose](): Promise<void> {
    this.breakAll()
    await new Promise((resolve) => this.#server.close(resolve))
  }

  async #join(client: Socket, port: number): Promise<void> {
    const { up = [], down = [] } = this.faults(this.connections++)
    const server = dial({ port, host: '127.0.0.1', allowHalfOpen: true })
    for (const socket of [client, server]) {
      this.#sockets.add(socket.setNoDelay(true))
      socket.on('error', () => socket.destroy())
      socket.on('close', () => this.#sockets.delete(socket))
    }
    await once(server, 'connect').catch(() => client.destroy())
    void pass({ from: client, to: server, toxics: up })
    void pass({ from: server, to: client, toxics: down })
  }
}

interface Passage {
  readonly from: Socket
  readonly to: Socket
  readonly toxics: readonly Toxic[]
}

async function pass({ from, to, toxics }: Passage): Promise<void> {
  const bytes = toxics.reduce<AsyncIterable<Buffer>>((all, toxic) => toxic(all), from)
  try {
    for await (const piece of bytes) {
      if (!to.write(piece)) await Promise.race([once(to, 'drain'), once(to, 'close')])
    }
    to.end()
  } catch (error) {
    // what one side did to its connection, the other side sees too
    const isReset = error instanceof Break ? error.how === 'reset' : (error as { code?: string }).code === 'ECONNRESET'
    for (const socket of [from, to]) {
      if (isReset) socket.resetAndDestroy()
      else socket.destroySoon()
    }
  }
}
