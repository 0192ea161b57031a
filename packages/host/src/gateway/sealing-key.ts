import { randomBytes } from 'node:crypto'
import { SpilledAddresses } from '../relay/terms/spilled-address.ts'
import type { Store } from '../store/store.ts'
import { cursorSeal } from './sealed-cursor.ts'

/** The key that seals state carried back by callers; kept in the store, so that it can be read after a restart. */
export function sealingKey({ database }: Store): string {
  const row = database.prepare(`SELECT value FROM ledger_key WHERE name = 'sealing'`).get()
  if (row) return String(row.value)
  const key = randomBytes(32).toString('base64url')
  database.prepare(`INSERT INTO ledger_key (name, value) VALUES ('sealing', ?)`).run(key)
  return key
}

/** The addresses of large results that servers keep, the same in every part of a host. */
export function spilledAddresses(store: Store): SpilledAddresses {
  return new SpilledAddresses(cursorSeal([sealingKey(store)]))
}
