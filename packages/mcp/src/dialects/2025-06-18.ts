import { vocabulary20250618 } from '../wire/vocabularies/2025-06-18.ts'
import { handshake } from './handshake/handshake.ts'

export const dialect20250618 = handshake({
  vocabulary: vocabulary20250618,
  structured: 'object',
  badArguments: 'refusal',
  choices: 'enumNames',
  manyContents: false,
  visits: 'none',
  batches: false,
  unreadableId: 'null',
  http: { versionHeader: true, primes: false, streamable: true, labels: false },
})
