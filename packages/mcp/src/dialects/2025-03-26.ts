import { vocabulary20250326 } from '../wire/vocabularies/2025-03-26.ts'
import { handshake } from './handshake/handshake.ts'

export const dialect20250326 = handshake({
  vocabulary: vocabulary20250326,
  structured: 'none',
  badArguments: 'refusal',
  choices: 'enumNames',
  manyContents: false,
  visits: 'none',
  batches: true,
  unreadableId: 'null',
  http: { versionHeader: false, primes: false, streamable: true, labels: false },
})
