import type { EffectName, EffectStore, StoredEffect } from '../effect-store.ts'
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
}

function valuesOf({ call, key }: EffectName): [string, string] {
  return [call, JSON.stringify(key)]
}

function statements(file: SqliteFile) {
  return {
    begin: file.prepare(
      `INSERT INTO effect (call, key, state, expires_at) VALUES (?, ?, 'begun', ?) ON CONFLICT DO NOTHING`,
    ),
    load: file.prepare('SELECT state, value FROM effect WHERE call = ? AND key = ?'),
    done: file.prepare(`UPDATE effect SET state = 'done', value = ? WHERE call = ? AND key = ?`),
    undone: file.prepare('DELETE FROM effect WHERE call = ? AND key = ?'),
  }
}
