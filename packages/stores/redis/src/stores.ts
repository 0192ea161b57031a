import { McpError } from '@trunkline/mcp'
import type { ClusterStores } from '@trunkline/mcp/http'
import { RedisBell } from './bell.ts'
import { clientFor, type RedisClient } from './driver.ts'
import { RedisEventStore } from './event-store.ts'
import { RedisInbox } from './inbox.ts'
import { RedisLimiter } from './limiter.ts'
import { RedisPresence } from './presence.ts'
import { RedisProofIds } from './proof-ids.ts'
import { RedisConnection } from './redis-connection.ts'
import { RedisSessionStore } from './session-store.ts'

/** Options of {@link redisStores}. */
export interface RedisOptions {
  /** Name of the server, a part of all keys, for several servers with one prefix. @default none */
  readonly server?: string
  /** Beginning of all keys; each server has its own, or its own name. @default 'trunkline' */
  readonly prefix?: string
  /** Options of Node's TLS, such as `ca`, which turn TLS on; so does an address that begins with "rediss:". @default what the address says */
  readonly tls?: object
  /** Milliseconds that one step may take; after that its outcome is unknown. @default 5_000 */
  readonly deadlineMs?: number
  /** Events of one stream; the oldest are dropped. @default 1_000 */
  readonly maxEventsPerStream?: number
  /** Milliseconds after which an unused session is deleted. @default 604_800_000 (7 days) */
  readonly maxSessionAgeMs?: number
  /** Milliseconds after which a stream without new events is deleted. @default 86_400_000 (1 day) */
  readonly maxEventAgeMs?: number
}

const defaults = {
  prefix: 'trunkline',
  deadlineMs: 5_000,
  maxEventsPerStream: 1_000,
  maxSessionAgeMs: 604_800_000,
  maxEventAgeMs: 86_400_000,
} as const satisfies RedisOptions

/** State of a server in Redis, which all its processes share. It has no tasks and effects: a failover may lose what Redis has confirmed. */
export interface RedisStores extends Omit<ClusterStores, 'tasks' | 'effects'>, AsyncDisposable {
  /** Closes the connections; call it after closing the server. A client that was given stays as it is. */
  close(): Promise<void>
}

/** Opens stores at an address, or with the options of a client; an error with the code `Store` says what to do. */
export async function redisStores(target: string | RedisClient, options: RedisOptions = {}): Promise<RedisStores> {
  const { server, prefix, deadlineMs, maxSessionAgeMs, tls, ...limits } = { ...defaults, ...options }
  const keys = `${prefix}:${server === undefined ? '' : keyPart(server)}:`
  const channel = `${keys}bell`
  const like = typeof target === 'string' ? await clientFor(target, tls) : target
  const connection = await RedisConnection.open(like, deadlineMs)
  const bell = await RedisBell.open(connection, channel, like).catch((error: unknown) => {
    connection.close()
    throw error
  })
  const close = async (): Promise<void> => {
    bell.close()
    connection.close()
  }
  return {
    engine: 'Redis',
    sessions: new RedisSessionStore(connection, keys, maxSessionAgeMs),
    events: new RedisEventStore(connection, keys, limits),
    limiter: new RedisLimiter(connection, keys),
    proofs: new RedisProofIds(connection, keys),
    presence: new RedisPresence(connection, keys),
    inbox: new RedisInbox(connection, keys, channel),
    bell,
    close,
    [Symbol.asyncDispose]: close,
  }
}

/** A name as a part of a key, without the ":" between parts. */
function keyPart(server: string): string {
  // half of a pair of surrogates cannot be sent
  if (server !== '' && !/\p{Surrogate}/u.test(server)) return encodeURIComponent(server)
  throw new McpError('Misuse', `Cannot use server name ${JSON.stringify(server)}: give the name of the server`)
}
