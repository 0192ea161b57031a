import type { StoredTask } from '../task-store.ts'
import type { SqliteRow } from './sqlite-database.ts'

/** A value as JSON, or nothing: text from outside is kept so, because not every string of JavaScript is one of SQLite. */
export function optionalJson(value: unknown): string | null {
  return value === undefined ? null : JSON.stringify(value)
}

/** A task as the values of its row. */
export function toRow({ id, principal, createdAt, updatedAt, expiresAt, status, ...rest }: StoredTask) {
  return {
    id,
    principal: optionalJson(principal),
    createdAt,
    updatedAt,
    expiresAt,
    status,
    statusMessage: optionalJson(rest.statusMessage),
    work: JSON.stringify(rest.work),
    outcome: optionalJson(rest.outcome),
  }
}

/** A task from its row. */
export function toTask(row: SqliteRow): StoredTask {
  const parsed = (column: string) => JSON.parse(row[column] as string)
  return {
    id: row.id as string,
    ...(row.principal !== null && { principal: parsed('principal') }),
    createdAt: row.created_at as number,
    updatedAt: row.updated_at as number,
    expiresAt: row.expires_at as number | null,
    status: row.status as StoredTask['status'],
    ...(row.status_message !== null && { statusMessage: parsed('status_message') }),
    work: parsed('work'),
    ...(row.outcome !== null && { outcome: parsed('outcome') }),
  }
}
