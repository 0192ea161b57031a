import { SpilledAddresses } from '../relay/terms/spilled-address.ts'
import type { Store } from '../store/store.ts'
import { LedgerKeyTable } from '../store/tables/ledger-key-table.ts'
import { cursorSeal } from './sealed-cursor.ts'

/** The key that seals state carried back by callers; kept in the store, so that it can be read after a restart. */
export function sealingKey(store: Store): string {
  return new LedgerKeyTable(store).secret('sealing')
}

/** The addresses of large results that servers keep, the same in every part of a host. */
export function spilledAddresses(store: Store): SpilledAddresses {
  return new SpilledAddresses(cursorSeal([sealingKey(store)]))
}
