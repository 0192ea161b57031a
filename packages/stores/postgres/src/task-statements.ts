import { nowMs } from './database.ts'

/** The statements of a store of tasks. */
export function postgresTaskStatements(schema: string) {
  const table = `${schema}.task`
  const entry = `INSERT INTO ${schema}.task_entry (task, kind, key, value)`
  const isThere = `(expires_at IS NULL OR expires_at > ${nowMs})`
  const isWorking = `status = 'working' AND ${isThere}`
  const isAllowed = '($2::bigint IS NULL OR (owner IS NOT NULL AND fence = $2))'
  const page = `(created_at, id) > ($1::float8, $2::text) AND ${isThere}`
  const inOrder = 'ORDER BY created_at, id LIMIT $3'
  const grown = (condition: string) => `WITH grown AS (
    UPDATE ${table} SET version = version + 1 WHERE id = $1 AND ${isWorking} AND ${isAllowed}${condition} RETURNING id)
    ${entry} SELECT id, $3, $4, $5 FROM grown`
  return {
    lock: `SELECT pg_advisory_xact_lock(hashtextextended('${schema} ' || $1, 0))`,
    create: `INSERT INTO ${table} (id, principal, created_at, updated_at, expires_at, status, status_message, work, outcome,
        owner, fence, lease_until)
      SELECT $1, $2::text, $3, $4, $5, $6, $7, $8, $9, $10, $11::bigint, CASE WHEN $11::bigint > 0 THEN ${nowMs} + $12::float8 ELSE 0 END
      WHERE (SELECT count(*) FROM ${table} WHERE principal IS NOT DISTINCT FROM $2::text AND ${isThere}) < $13::bigint`,
    enterAll: `${entry} SELECT $1, * FROM unnest($2::text[], $3::text[], $4::text[]) ON CONFLICT DO NOTHING`,
    load: `SELECT * FROM ${table} WHERE id = $1 AND ${isThere}`,
    update: `UPDATE ${table} SET updated_at = $3, status = coalesce($4, status),
        status_message = coalesce($5, status_message), outcome = coalesce($6, outcome), version = version + 1
      WHERE id = $1 AND ${isWorking} AND ${isAllowed}`,
    enter: `${grown(` AND NOT EXISTS (SELECT 1 FROM ${schema}.task_entry WHERE task = $1 AND kind = $3 AND key = $4)`)}
      ON CONFLICT DO NOTHING`,
    replace: `${grown('')} ON CONFLICT (task, kind, key) DO UPDATE SET value = excluded.value`,
    entries: `SELECT kind, key, value FROM ${schema}.task_entry
      WHERE task = (SELECT id FROM ${table} WHERE id = $1 AND ${isThere}) ORDER BY number`,
    list: `SELECT * FROM ${table} WHERE principal IS NOT DISTINCT FROM $4::text AND ${page} ${inOrder}`,
    unfinished: `SELECT * FROM ${table} WHERE status = 'working' AND ${page} ${inOrder}`,
    unowned: `SELECT * FROM ${table} WHERE status = 'working' AND lease_until <= ${nowMs} AND ${page} ${inOrder}`,
    claim: `UPDATE ${table} SET fence = fence + (lease_until <= ${nowMs})::int, owner = $2,
        lease_until = ${nowMs} + $3::float8
      WHERE id = $1 AND ${isWorking} AND (lease_until <= ${nowMs} OR owner = $2) RETURNING fence, version`,
    renew: `UPDATE ${table} SET lease_until = ${nowMs} + $3::float8
      WHERE id = $1 AND owner IS NOT NULL AND fence = $2 AND lease_until > ${nowMs} RETURNING version`,
    release: `UPDATE ${table} SET owner = NULL, lease_until = 0 WHERE id = $1 AND owner IS NOT NULL AND fence = $2`,
    drop: `DELETE FROM ${table} WHERE id = $1`,
  }
}
