import { ledger } from './list/host/ledger.ts'
import { policy } from './list/host/policy.ts'
import type { Mutation } from './mutation.ts'

/** Mutations of the host and the command, by what they break. */
export const hostAreas: { readonly [area: string]: readonly Mutation[] } = {
  policy,
  ledger,
}
