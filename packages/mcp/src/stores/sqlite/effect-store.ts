import type { EffectAttempt, EffectName, EffectState, EffectStore, StoredEffect } from '../effect-store.ts'
import { ExpiredRows } from './expired-rows.ts'
import type { SqliteFile } from './sqlite-file.ts'

const expired = 'DELETE FROM effect WHERE (call, key) IN (SELECT call, key FROM effect WHERE expires_at <= ? LIMIT ?)'

/** Side effects of calls in a file. */
export class SqliteEffectStore implements EffectStore {
  readonly #file: SqliteFile
  readonly #sql: ReturnType<typeof statements>
  readonly #expired: ExpiredRows

  constructor(file: SqliteFile) {
    this.#file = file
    this.#sql = statements(file)
    this.#expired = new ExpiredRows(file, expired)
  }

  async begin(effect: EffectName, expiresAt: number): Promise<StoredEffect | undefined> {
    this.#expired.sometimes()
    const values = valuesOf(effect)
    const isNew = await this.#file.durable(() =>
      this.#expired.makingRoom(() => this.#sql.begin.run(...values, expiresAt).changes > 0),
    )
    if (isNew) return undefined
    const row = this.#file.use(() => this.#sql.load.get(...values))
    return row?.state === 'done' ? { state: 'done', value: JSON.parse(row.value as string) } : { state: 'begun' }
  }

  async done(effect: EffectName, value: unknown): Promise<void> {
    const text = JSON.stringify(value ?? null)
    await this.#file.durable(() => this.#expired.makingRoom(() => this.#sql.done.run(text, ...valuesOf(effect))))
  }

  async undone(effect: EffectName): Promise<void> {
    await this.#file.durable(() => this.#sql.undone.run(...valuesOf(effect)))
  }

  async attempt(
    effect: EffectName,
    { attempt, leaseMs, expiresAt, repeats = false }: EffectAttempt,
  ): Promise<EffectState> {
    this.#expired.sometimes()
    const values = valuesOf(effect)
    const name = JSON.stringify(attempt)
    const write = (): EffectState => {
      const now = Date.now()
      const row = this.#sql.load.get(...values)
      if (row?.state === 'done') return { state: 'done', value: JSON.parse(row.value as string) }
      const isOver = row !== undefined && (row.lease_until as number) <= now
      if (row && row.attempt !== name && !(isOver && repeats)) return { state: isOver ? 'unknown' : 'running' }
      if (!row) this.#sql.begin.run(...values, expiresAt)
      this.#sql.take.run(name, now + leaseMs, ...values)
      return { state: 'mine' }
    }
    return this.#file.durable(() => this.#expired.makingRoom(() => this.#file.transaction(write)))
  }

  async finish(effect: EffectName, attempt: string, value: unknown): Promise<boolean> {
    const text = JSON.stringify(value ?? null)
    const write = () => this.#sql.finish.run(text, ...valuesOf(effect), JSON.stringify(attempt)).changes > 0
    return this.#file.durable(() => this.#expired.makingRoom(write))
  }

  async abandon(effect: EffectName, attempt: string): Promise<boolean> {
    const write = () => this.#sql.abandon.run(...valuesOf(effect), JSON.stringify(attempt)).changes > 0
    return this.#file.durable(write)
  }
}

function valuesOf({ call, key }: EffectName): [string, string] {
  return [call, JSON.stringify(key)]
}

function statements(file: SqliteFile) {
  return {
    begin: file.prepare(
      `INSERT INTO effect (call, key, state, expires_at) VALUES (?, ?, 'begun', ?) ON CONFLICT DO NOTHING`,
    ),
    load: file.prepare('SELECT state, value, attempt, lease_until FROM effect WHERE call = ? AND key = ?'),
    done: file.prepare(`UPDATE effect SET state = 'done', value = ? WHERE call = ? AND key = ?`),
    take: file.prepare('UPDATE effect SET attempt = ?, lease_until = ? WHERE call = ? AND key = ?'),
    finish: file.prepare(`UPDATE effect SET state = 'done', value = ? WHERE call = ? AND key = ? AND attempt = ?`),
    abandon: file.prepare(`DELETE FROM effect WHERE call = ? AND key = ? AND attempt = ? AND state = 'begun'`),
    undone: file.prepare('DELETE FROM effect WHERE call = ? AND key = ?'),
  }
}
