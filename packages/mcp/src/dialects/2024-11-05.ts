import { vocabulary20241105 } from '../wire/vocabularies/2024-11-05.ts'
import { handshake } from './handshake/handshake.ts'

export const dialect20241105 = handshake({
  vocabulary: vocabulary20241105,
  structured: 'none',
  badArguments: 'refusal',
  choices: 'enumNames',
  manyContents: false,
  visits: 'none',
  batches: false,
  unreadableId: 'null',
  http: { versionHeader: false, primes: false, streamable: false, labels: false },
})
