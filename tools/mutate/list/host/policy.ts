import { type Mutation, mutationsOf } from '../../mutation.ts'

/** Rules, and what they match. */
export const policy: readonly Mutation[] = mutationsOf('host', [])
