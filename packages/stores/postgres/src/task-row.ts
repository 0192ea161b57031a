import type { StoredTask } from '@trunkline/mcp/tasks'

/** A value as JSON, or null: text from outside is kept so, because PostgreSQL has no character 0 and no lone surrogates. */
export function jsonOrNull(value: unknown): string | null {
  return value === undefined ? null : JSON.stringify(value)
}

/** A task as the values of its row, in the order of the columns. */
export function taskToRow({ id, principal, createdAt, updatedAt, expiresAt, status, ...rest }: StoredTask) {
  return {
    id,
    principal: jsonOrNull(principal),
    createdAt,
    updatedAt,
    expiresAt,
    status,
    statusMessage: jsonOrNull(rest.statusMessage),
    work: JSON.stringify(rest.work),
    outcome: jsonOrNull(rest.outcome),
  }
}

/** A task from its row. */
export function rowToTask(row: { readonly [column: string]: unknown }): StoredTask {
  const parsed = (column: string) => JSON.parse(row[column] as string)
  return {
    id: row.id as string,
    ...(row.principal !== null && { principal: parsed('principal') }),
    createdAt: Number(row.created_at),
    updatedAt: Number(row.updated_at),
    expiresAt: row.expires_at === null ? null : Number(row.expires_at),
    status: row.status as StoredTask['status'],
    ...(row.status_message !== null && { statusMessage: parsed('status_message') }),
    work: parsed('work'),
    ...(row.outcome !== null && { outcome: parsed('outcome') }),
  }
}
