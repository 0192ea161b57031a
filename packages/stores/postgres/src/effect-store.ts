import type { EffectAttempt, EffectName, EffectState, EffectStore, StoredEffect } from '@trunkline/mcp/sqlite'
import { type Database, nowMs } from './database.ts'
import type { Sweeper } from './sweeper.ts'

/** Side effects of calls in a schema. */
export class PostgresEffectStore implements Required<EffectStore> {
  readonly #database: Database
  readonly #sweeper: Sweeper
  readonly #sql: ReturnType<typeof statements>

  constructor(database: Database, schema: string, sweeper: Sweeper) {
    this.#database = database
    this.#sweeper = sweeper
    this.#sql = statements(schema)
  }

  async begin(effect: EffectName, expiresAt: number): Promise<StoredEffect | undefined> {
    this.#sweeper.sometimes()
    const { rowCount } = await this.#database.query(this.#sql.begin, [...valuesOf(effect), expiresAt])
    if (rowCount !== 0) return undefined
    const known = await this.#load(effect)
    return known?.state === 'done' ? known : { state: 'begun' }
  }

  async done(effect: EffectName, value: unknown): Promise<void> {
    await this.#database.query(this.#sql.done, [...valuesOf(effect), JSON.stringify(value ?? null)])
  }

  async undone(effect: EffectName): Promise<void> {
    await this.#database.query(this.#sql.undone, valuesOf(effect))
  }

  async attempt(
    effect: EffectName,
    { attempt, leaseMs, expiresAt, repeats = false }: EffectAttempt,
  ): Promise<EffectState> {
    this.#sweeper.sometimes()
    for (;;) {
      const values = [...valuesOf(effect), attempt, leaseMs, expiresAt, repeats]
      const { rowCount } = await this.#database.query(this.#sql.attempt, values)
      if (rowCount !== 0) return { state: 'mine' }
      const known = await this.#load(effect)
      // another process may have abandoned it meanwhile
      if (known) return known
    }
  }

  async finish(effect: EffectName, attempt: string, value: unknown): Promise<boolean> {
    const values = [...valuesOf(effect), JSON.stringify(value ?? null), attempt]
    return (await this.#database.query(this.#sql.finish, values)).rowCount !== 0
  }

  async abandon(effect: EffectName, attempt: string): Promise<boolean> {
    return (await this.#database.query(this.#sql.abandon, [...valuesOf(effect), attempt])).rowCount !== 0
  }

  async #load(effect: EffectName): Promise<Exclude<EffectState, { state: 'mine' }> | undefined> {
    const { rows } = await this.#database.query(this.#sql.load, valuesOf(effect))
    const [row] = rows
    if (!row) return undefined
    if (row.state === 'done') return { state: 'done', value: JSON.parse(row.value as string) }
    return { state: row.is_over === true ? 'unknown' : 'running' }
  }
}

// text from outside is kept as JSON, because PostgreSQL has no character 0
function valuesOf({ call, key }: EffectName): [string, string] {
  return [JSON.stringify(call), JSON.stringify(key)]
}

function statements(schema: string) {
  const one = 'call = $1 AND key = $2'
  return {
    begin: `INSERT INTO ${schema}.effect (call, key, state, expires_at) VALUES ($1, $2, 'begun', $3)
      ON CONFLICT DO NOTHING`,
    done: `UPDATE ${schema}.effect SET state = 'done', value = $3 WHERE ${one}`,
    undone: `DELETE FROM ${schema}.effect WHERE ${one}`,
    attempt: `INSERT INTO ${schema}.effect AS known (call, key, state, attempt, lease_until, expires_at)
      VALUES ($1, $2, 'begun', $3, ${nowMs} + $4::float8, $5)
      ON CONFLICT (call, key) DO UPDATE SET attempt = excluded.attempt, lease_until = excluded.lease_until
      WHERE known.state = 'begun'
        AND (known.attempt = excluded.attempt OR ($6::boolean AND known.lease_until <= ${nowMs}))`,
    load: `SELECT state, value, lease_until <= ${nowMs} AS is_over FROM ${schema}.effect WHERE ${one}`,
    finish: `UPDATE ${schema}.effect SET state = 'done', value = $3 WHERE ${one} AND attempt = $4`,
    abandon: `DELETE FROM ${schema}.effect WHERE ${one} AND attempt = $3 AND state = 'begun'`,
  }
}
