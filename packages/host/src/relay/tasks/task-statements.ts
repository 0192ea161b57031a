import type { DatabaseSync } from 'node:sqlite'

const page = '(created_at, id) > (?, ?) ORDER BY created_at, id LIMIT ?'
const enter = `INSERT INTO task_entry (kind, key, value, task)
  SELECT ?, ?, ?, number FROM task WHERE id = ? AND status = 'working' AND expires_at > ?`

/** The statements about tasks; one that has expired counts as deleted. */
export function taskStatements(database: DatabaseSync) {
  return {
    sweep: database.prepare('DELETE FROM task WHERE expires_at <= ?'),
    count: database.prepare('SELECT count(*) AS count FROM task WHERE principal = ?'),
    create: database.prepare(
      `INSERT INTO task (id, place, principal, created_at, expires_at, status, task) VALUES (?, ?, ?, ?, ?, ?, ?)`,
    ),
    load: database.prepare('SELECT task FROM task WHERE id = ? AND place = ? AND expires_at > ?'),
    update: database.prepare('UPDATE task SET status = ?, task = ? WHERE id = ?'),
    enter: database.prepare(`${enter} ON CONFLICT DO NOTHING`),
    replace: database.prepare(`${enter} ON CONFLICT DO UPDATE SET value = excluded.value`),
    entries: database.prepare(
      'SELECT kind, key, value FROM task_entry WHERE task = (SELECT number FROM task WHERE id = ?) ORDER BY number',
    ),
    list: database.prepare(`SELECT task FROM task WHERE principal = ? AND place = ? AND expires_at > ? AND ${page}`),
    unfinished: database.prepare(
      `SELECT task FROM task WHERE status = 'working' AND place = ? AND expires_at > ? AND ${page}`,
    ),
    drop: database.prepare('DELETE FROM task WHERE id = ?'),
  }
}
