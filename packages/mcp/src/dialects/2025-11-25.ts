import { vocabulary20251125 } from '../wire/vocabularies/2025-11-25.ts'
import { handshake } from './handshake/handshake.ts'
import type { Facts } from './revision-facts.ts'

/** The facts of this revision. */
export const facts20251125: Facts = {
  vocabulary: vocabulary20251125,
  structured: 'object',
  badArguments: 'result',
  choices: 'titled',
  manyContents: true,
  visits: 'identified',
  batches: false,
  unreadableId: 'omitted',
  http: { versionHeader: true, primes: true, streamable: true, labels: false },
}

export const dialect20251125 = handshake(facts20251125)
