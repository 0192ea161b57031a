import { vocabulary20260728 } from '../wire/vocabularies/2026-07-28.ts'
import type { Facts } from './revision-facts.ts'
import { stateless } from './stateless/stateless.ts'

/** The facts of this revision. */
export const facts20260728: Facts = {
  vocabulary: vocabulary20260728,
  structured: 'any',
  badArguments: 'result',
  choices: 'titled',
  manyContents: true,
  visits: 'anonymous',
  batches: false,
  unreadableId: 'omitted',
  http: { versionHeader: true, primes: false, streamable: true, labels: true },
}

export const dialect20260728 = stateless(facts20260728)
