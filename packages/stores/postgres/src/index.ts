/** Stores of a server in PostgreSQL 14 or newer, which several processes share. */
export type { PgClient, PgPool, PgResult } from './driver.ts'
export { type PostgresOptions, type PostgresStores, postgresStores } from './stores.ts'
