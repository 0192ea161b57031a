import { queryLedger } from '../ledger/query.ts'
import type { Handlers } from './handlers.ts'
import type { ApiParts } from './parts.ts'
import { withoutMissing } from './without-missing.ts'

/** Handlers of the ledger. */
export function ledgerHandlers({
  store,
  ledger,
}: ApiParts): Pick<Handlers, 'ledger' | 'verify' | 'ledgerTip' | 'exportLedger' | 'act' | 'forget'> {
  return {
    ledger: (filter) => ({ items: [...queryLedger(store, withoutMissing(filter))] }),
    verify: ({ after }) => {
      const { broken, ...rest } = ledger.verify({ after })
      return { ...rest, ...(broken && { broken: broken.why }) }
    },
    ledgerTip: () => ledger.signedTip(),
    async exportLedger({ after = 0 }) {
      const tip = await ledger.signedTip()
      const lines = [...firstOf(ledger.lines(after, tip.number), exportedAtOnce)]
      const last = lines.at(-1)?.number ?? after
      return { lines: lines.map((line) => JSON.stringify(line)), after: last, ...(last >= tip.number && { tip }) }
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
