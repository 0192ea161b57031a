import { McpError } from '@trunkline/mcp'

/** Rows of a result of `pg`. */
export interface PgResult {
  readonly rows: readonly { readonly [column: string]: unknown }[]
  readonly rowCount: number | null
}

/** A client of a pool of `pg`, as far as the stores use it. */
export interface PgClient {
  query(text: string, values?: readonly unknown[]): Promise<PgResult>
  /** Gives the client back; with `true` its connection is closed. */
  release(destroy?: boolean): void
  on(event: 'error', listener: (error: Error) => void): unknown
  on(event: 'end', listener: () => void): unknown
  on(event: 'notification', listener: (message: { readonly payload?: string | undefined }) => void): unknown
  off(event: 'error', listener: (error: Error) => void): unknown
}

/** A pool of `pg`, as far as the stores use it. */
export interface PgPool {
  connect(): Promise<PgClient>
  end(): Promise<void>
  on(event: 'error', listener: (error: Error) => void): unknown
}

interface Driver {
  readonly Pool: new (options: object) => PgPool
}

/** Options of a pool. */
export interface PoolOptions {
  readonly max: number
  readonly deadlineMs: number
  /** Options of Node's TLS. */
  readonly tls?: object | undefined
}

/** Opens a pool with the package `pg`, which is loaded here because a user may bring a pool of another copy. */
export async function openPool(connectionString: string, { max, deadlineMs, tls }: PoolOptions): Promise<PgPool> {
  const { Pool } = await loadDriver()
  return new Pool({
    connectionString,
    max,
    connectionTimeoutMillis: deadlineMs,
    application_name: 'trunkline',
    ...(tls && { ssl: tls }),
  })
}

async function loadDriver(): Promise<Driver> {
  // a name in a variable: the package is a peer, and its types are not needed to check this one
  const name: string = 'pg'
  try {
    const module = (await import(name)) as { readonly default: Driver }
    return module.default
  } catch (error) {
    throw new McpError('Store', 'Cannot use PostgreSQL: the package "pg" is missing; run "npm install pg@8"', {
      cause: error,
    })
  }
}
