import { queryLedger } from '../ledger/query.ts'
import type { Handlers } from './handlers.ts'
import type { ApiParts } from './parts.ts'
import { withoutMissing } from './without-missing.ts'

/** What was done. */
export function ledgerHandlers({
  store,
  ledger,
}: ApiParts): Pick<Handlers, 'ledger' | 'verify' | 'exportLedger' | 'act' | 'forget'> {
  return {
    ledger: (filter) => ({ items: [...queryLedger(store, withoutMissing(filter))] }),
    verify: () => {
      const { lines, broken } = ledger.verify()
      return { lines, ...(broken && { broken: broken.why }) }
    },
    exportLedger: ({ after = 0 }) => {
      const lines = [...firstOf(ledger.lines(after), exportedAtOnce)]
      return {
        lines: lines.map((line) => JSON.stringify(line)),
        after: lines.at(-1)?.number ?? after,
        publicKey: ledger.publicKey,
      }
    },
    act: ({ act }) => ({ lines: [...queryLedger(store, { act })], payloads: ledger.payloads.of(act) }),
    async forget(which) {
      return { removed: await ledger.payloads.forget(withoutMissing(which)) }
    },
  }
}

/** Lines in one answer, so that a long ledger holds nothing else up. */
const exportedAtOnce = 1_000

function* firstOf<Item>(items: Iterable<Item>, most: number): Generator<Item> {
  let count = 0
  for (const item of items) {
    yield item
    count += 1
    if (count >= most) return
  }
}
