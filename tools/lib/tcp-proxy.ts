/** A TCP proxy of tests that holds, cuts and counts what goes through it. */
import { once } from 'node:events'
import { createServer, connect as dial, type NetConnectOpts, type Socket } from 'node:net'

/** Way of bytes: to the server, or back to the client. */
export type Direction = 'toServer' | 'toClient'

/** Changes what the server sends over one connection. */
export type Filter = (chunk: Buffer) => Buffer

/** A running proxy. */
export interface TcpProxy extends AsyncDisposable {
  /** Port of 127.0.0.1 on which it listens. */
  readonly port: number
  /** Times that a client sent something and was answered or is still waiting: its round trips. */
  readonly roundTrips: number
  /** Number of open connections. */
  readonly connections: number
  /** Keeps back what goes one way, also of connections that are still to come; both sides stay connected. */
  hold(direction: Direction): void
  /** Lets all go on that was held. */
  release(): void
  /** Breaks all connections. */
  cut(): void
}

/** Options of {@link startProxy}. */
export interface ProxyOptions {
  /** Makes a filter for each connection. @default none */
  readonly filter?: () => Filter
}

interface Pair {
  readonly client: Socket
  readonly server: Socket
}

/** Starts a proxy in front of an address. */
export async function startProxy(target: NetConnectOpts, { filter }: ProxyOptions = {}): Promise<TcpProxy> {
  const pairs = new Set<Pair>()
  const held = new Set<Direction>()
  let roundTrips = 0
  const listener = createServer((client) => {
    const server = dial(target)
    const pair = { client, server }
    const change = filter?.()
    let isAsking = false
    pairs.add(pair)
    client.on('data', (chunk) => {
      if (!isAsking) roundTrips += 1
      isAsking = true
      server.write(chunk)
    })
    server.on('data', (chunk) => {
      isAsking = false
      const changed = change ? change(chunk) : chunk
      if (changed.length > 0) client.write(changed)
    })
    for (const socket of [client, server]) {
      socket.on('error', () => end(pair))
      socket.on('close', () => end(pair))
    }
    for (const direction of held) sourceOf(pair, direction).pause()
  })
  const end = (pair: Pair): void => {
    pairs.delete(pair)
    pair.client.destroy()
    pair.server.destroy()
  }
  const cut = (): void => {
    for (const pair of pairs) end(pair)
  }
  listener.listen(0, '127.0.0.1')
  await once(listener, 'listening')
  const { port } = listener.address() as { readonly port: number }
  return {
    port,
    get roundTrips() {
      return roundTrips
    },
    get connections() {
      return pairs.size
    },
    hold(direction) {
      held.add(direction)
      for (const pair of pairs) sourceOf(pair, direction).pause()
    },
    release() {
      held.clear()
      for (const { client, server } of pairs) for (const socket of [client, server]) socket.resume()
    },
    cut,
    async [Symbol.asyncDispose]() {
      cut()
      listener.close()
      await once(listener, 'close')
    },
  }
}

function sourceOf({ client, server }: Pair, direction: Direction): Socket {
  return direction === 'toServer' ? client : server
}
