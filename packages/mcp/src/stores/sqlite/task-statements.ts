import type { SqliteFile } from './sqlite-file.ts'

const isThere = '(expires_at IS NULL OR expires_at > ?)'
const page = '(created_at, id) > (?, ?) ORDER BY created_at, id LIMIT ?'
const enter = `INSERT INTO task_entry (task, kind, key, value)
  SELECT number, ?, ?, ? FROM task WHERE id = ? AND status = 'working' AND ${isThere}`

/** The statements of {@link SqliteTaskStore}, prepared once. */
export function taskStatements(file: SqliteFile) {
  return {
    count: file.prepare(
      `SELECT count(*) AS count FROM (SELECT 1 FROM task WHERE principal IS ? AND ${isThere} LIMIT ?)`,
    ),
    create: file.prepare(
      `INSERT INTO task (id, principal, created_at, updated_at, expires_at, status, status_message, work, outcome)
       VALUES (:id, :principal, :createdAt, :updatedAt, :expiresAt, :status, :statusMessage, :work, :outcome)`,
    ),
    load: file.prepare(`SELECT * FROM task WHERE id = ? AND ${isThere}`),
    update: file.prepare(
      `UPDATE task SET updated_at = :updatedAt, status = coalesce(:status, status),
         status_message = coalesce(:statusMessage, status_message), outcome = coalesce(:outcome, outcome)
       WHERE id = :id AND status = 'working' AND (expires_at IS NULL OR expires_at > :now)`,
    ),
    enter: file.prepare(`${enter} ON CONFLICT DO NOTHING`),
    replace: file.prepare(`${enter} ON CONFLICT DO UPDATE SET value = excluded.value`),
    entries: file.prepare(
      `SELECT kind, key, value FROM task_entry
       WHERE task = (SELECT number FROM task WHERE id = ? AND ${isThere}) ORDER BY number`,
    ),
    list: file.prepare(`SELECT * FROM task WHERE principal IS ? AND ${isThere} AND ${page}`),
    unfinished: file.prepare(`SELECT * FROM task WHERE status = 'working' AND ${isThere} AND ${page}`),
    drop: file.prepare('DELETE FROM task WHERE id = ?'),
  }
}
