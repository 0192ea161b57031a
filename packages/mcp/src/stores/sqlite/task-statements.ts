import type { SqliteDatabase } from './sqlite-database.ts'

const isThere = '(expires_at IS NULL OR expires_at > ?)'
const page = '(created_at, id) > (?, ?) ORDER BY created_at, id LIMIT ?'
const isIt = 'id = :id AND server = :server'
const isWorking = `status = 'working' AND (expires_at IS NULL OR expires_at > :now)`
const isAllowed = '(:fence IS NULL OR (owner IS NOT NULL AND fence = :fence))'
const enter = `INSERT INTO task_entry (task, kind, key, value)
  SELECT number, :kind, :key, :value FROM task WHERE ${isIt} AND ${isWorking} AND ${isAllowed}`

/** The statements of {@link SqliteTaskStore}, prepared once. */
export function taskStatements(file: SqliteDatabase) {
  return {
    count: file.prepare(
      `SELECT count(*) AS count FROM (SELECT 1 FROM task WHERE principal IS ? AND ${isThere} LIMIT ?)`,
    ),
    create: file.prepare(
      `INSERT INTO task (id, server, principal, created_at, updated_at, expires_at, status, status_message, work, outcome,
         owner, fence, lease_until)
       VALUES (:id, :server, :principal, :createdAt, :updatedAt, :expiresAt, :status, :statusMessage, :work, :outcome,
         :owner, :fence, :leaseUntil)`,
    ),
    load: file.prepare(`SELECT * FROM task WHERE id = ? AND server = ? AND ${isThere}`),
    update: file.prepare(
      `UPDATE task SET updated_at = :updatedAt, status = coalesce(:status, status),
         status_message = coalesce(:statusMessage, status_message), outcome = coalesce(:outcome, outcome),
         version = version + 1
       WHERE ${isIt} AND ${isWorking} AND ${isAllowed}`,
    ),
    enter: file.prepare(`${enter} ON CONFLICT DO NOTHING`),
    replace: file.prepare(`${enter} ON CONFLICT DO UPDATE SET value = excluded.value`),
    grow: file.prepare('UPDATE task SET version = version + 1 WHERE id = ? AND server = ?'),
    claim: file.prepare(
      `UPDATE task SET fence = fence + (lease_until <= :now), owner = :owner, lease_until = :until
       WHERE ${isIt} AND ${isWorking} AND (lease_until <= :now OR owner = :owner) RETURNING fence, version`,
    ),
    renew: file.prepare(
      `UPDATE task SET lease_until = :until
       WHERE ${isIt} AND owner IS NOT NULL AND fence = :fence AND lease_until > :now RETURNING version`,
    ),
    release: file.prepare(
      `UPDATE task SET owner = NULL, lease_until = 0 WHERE ${isIt} AND owner IS NOT NULL AND fence = :fence`,
    ),
    unowned: file.prepare(
      `SELECT * FROM task WHERE status = 'working' AND lease_until <= ? AND server = ? AND ${isThere} AND ${page}`,
    ),
    entries: file.prepare(
      `SELECT kind, key, value FROM task_entry
       WHERE task = (SELECT number FROM task WHERE id = ? AND server = ? AND ${isThere}) ORDER BY number`,
    ),
    list: file.prepare(`SELECT * FROM task WHERE principal IS ? AND server = ? AND ${isThere} AND ${page}`),
    unfinished: file.prepare(`SELECT * FROM task WHERE status = 'working' AND server = ? AND ${isThere} AND ${page}`),
    drop: file.prepare('DELETE FROM task WHERE id = ? AND server = ?'),
  }
}
