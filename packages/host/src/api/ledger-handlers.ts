import { queryLedger } from '../ledger/query.ts'
import type { Handlers } from './handlers.ts'
import type { ApiParts } from './parts.ts'

/** What was done. */
export function ledgerHandlers({
  store,
  ledger,
  payloads,
}: ApiParts): Pick<Handlers, 'ledger' | 'verify' | 'act' | 'forget'> {
  return {
    ledger: (filter) => ({ items: [...queryLedger(store, withoutMissing(filter))] }),
    verify: () => {
      const { lines, broken } = ledger.verify()
      return { lines, ...(broken && { broken: broken.why }) }
    },
    act: ({ act }) => ({ lines: [...queryLedger(store, { act })], payloads: payloads.of(act) }),
    async forget(which) {
      return { removed: await payloads.forget(withoutMissing(which)) }
    },
  }
}

type Given<Value> = { [Key in keyof Value]: Exclude<Value[Key], undefined> }

function withoutMissing<Value extends object>(value: Value): Given<Value> {
  return Object.fromEntries(Object.entries(value).filter(([, one]) => one !== undefined)) as Given<Value>
}
