import { type Mutation, mutationsOf } from '../../mutation.ts'

/** The record of what was done. */
export const ledger: readonly Mutation[] = mutationsOf('host', [])
