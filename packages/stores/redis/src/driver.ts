import { McpError } from '@trunkline/mcp'

/** A client of the package `redis`, as far as the stores use it. */
export interface RedisClient {
  readonly isReady: boolean
  readonly options: { readonly socket?: object | undefined }
  connect(): Promise<unknown>
  sendCommand(args: readonly string[]): Promise<unknown>
  subscribe(channel: string, listener: (message: string) => void): Promise<unknown>
  /** Makes a client with the same options and a connection of its own. */
  duplicate(overrides: object): RedisClient
  /** Closes the connection; commands without an answer fail. */
  destroy(): void
  on(event: 'error', listener: (error: Error) => void): unknown
}

interface Driver {
  createClient(options: { readonly url: string; readonly socket?: object }): RedisClient
}

/** Makes a client with the package `redis`, which is loaded here because a user may bring a client of another copy. */
export async function clientFor(url: string, tls?: object): Promise<RedisClient> {
  const { createClient } = await loadDriver()
  try {
    return createClient({ url, ...(tls && { socket: { ...tls, tls: true } }) })
  } catch {
    // the error of the driver has the address with its password
    const fix = 'write "redis://user:password@host:port/0", or "rediss://" for TLS'
    throw new McpError('Store', `Cannot use Redis: its address is not one of Redis; ${fix}`)
  }
}

/** A client like the given one that does not connect again by itself, and whose replies are plain text. */
export function plainClient(like: RedisClient, connectTimeout: number): RedisClient {
  return like.duplicate({
    // a Redis that is too old for another protocol can say its version in this one
    RESP: 2,
    maintNotifications: 'disabled',
    clientSideCache: undefined,
    emitInvalidate: undefined,
    disableOfflineQueue: true,
    // deadlines are kept by the connection; the driver's leave a command that was sent without an answer
    commandOptions: { timeout: undefined },
    socket: { ...like.options.socket, connectTimeout, reconnectStrategy: false },
  })
}

async function loadDriver(): Promise<Driver> {
  // a name in a variable: the package is a peer, and its types are not needed to check this one
  const name: string = 'redis'
  try {
    return (await import(name)) as Driver
  } catch (error) {
    throw new McpError('Store', 'Cannot use Redis: the package "redis" is missing; run "npm install redis@6"', {
      cause: error,
    })
  }
}
