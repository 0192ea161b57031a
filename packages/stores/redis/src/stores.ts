import { type Limiter, McpError } from '@trunkline/mcp'
import type { EventStore, SessionStore } from '@trunkline/mcp/http'
import { clientFor, type RedisClient } from './driver.ts'
import { RedisEventStore } from './event-store.ts'
import { RedisLimiter } from './limiter.ts'
import { RedisConnection } from './redis-connection.ts'
import { RedisSessionStore } from './session-store.ts'

/** Options of {@link redisStores}. */
export interface RedisOptions {
  /** Name of the server, a part of all keys; servers with the same one share what they store. */
  readonly server: string
  /** Beginning of all keys. @default 'trunkline' */
  readonly prefix?: string
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
} as const satisfies Partial<RedisOptions>

/** State of servers in Redis, which several processes share. */
export interface RedisStores extends AsyncDisposable {
  readonly sessions: Required<SessionStore>
  readonly events: Required<EventStore>
  readonly limiter: Limiter
  /** Throws: a failover of Redis may lose tasks that it has confirmed. */
  readonly tasks: never
  /** Throws: a failover of Redis may lose effects that it has confirmed, which would then happen twice. */
  readonly effects: never
  /** Closes the connection; call it after closing the server. A client that was given stays as it is. */
  close(): Promise<void>
}

/** Opens stores at an address, or with the options of a client; an error with the code `Store` says what to do. */
export async function redisStores(target: string | RedisClient, options: RedisOptions): Promise<RedisStores> {
  const { server, prefix, deadlineMs, maxSessionAgeMs, ...limits } = { ...defaults, ...options }
  const keys = `${prefix}:${keyPart(server)}:`
  const like = typeof target === 'string' ? await clientFor(target) : target
  const connection = await RedisConnection.open(like, deadlineMs)
  return new Stores(connection, {
    sessions: new RedisSessionStore(connection, keys, maxSessionAgeMs),
    events: new RedisEventStore(connection, keys, limits),
    limiter: new RedisLimiter(connection, keys),
  })
}

type Kept = Pick<RedisStores, 'sessions' | 'events' | 'limiter'>

class Stores implements RedisStores {
  readonly sessions: Kept['sessions']
  readonly events: Kept['events']
  readonly limiter: Kept['limiter']
  readonly #connection: RedisConnection

  constructor(connection: RedisConnection, { sessions, events, limiter }: Kept) {
    this.#connection = connection
    this.sessions = sessions
    this.events = events
    this.limiter = limiter
  }

  get tasks(): never {
    throw refused('tasks')
  }

  get effects(): never {
    throw refused('effects')
  }

  async close(): Promise<void> {
    this.#connection.close()
  }

  [Symbol.asyncDispose](): Promise<void> {
    return this.close()
  }
}

function refused(kind: string): McpError {
  const fix = `keep them in PostgreSQL with "@trunkline/postgres"`
  return new McpError('Misuse', `Cannot keep ${kind} in Redis: a failover may lose what it has confirmed; ${fix}`)
}

/** A name as a part of a key, without the ":" between parts. */
function keyPart(server: string): string {
  // half of a pair of surrogates cannot be sent
  if (server !== '' && !/\p{Surrogate}/u.test(server)) return encodeURIComponent(server)
  throw new McpError('Misuse', `Cannot use server name ${JSON.stringify(server)}: give the name of the server`)
}
