import assert from 'node:assert/strict'
import { test } from 'node:test'
import fc from 'fast-check'
import { literalPiece } from './literal-piece.ts'
import { none, subjectOf } from './split-uri.ts'

const repetitive = (maxLength: number) => fc.string({ unit: fc.constantFrom('a', 'b'), minLength: 1, maxLength })

test('literalPiece: starts wherever the text is and the rest can follow, even where it overlaps itself', () => {
  fc.assert(
    fc.property(repetitive(5), repetitive(20), fc.infiniteStream(fc.boolean()), (text, uri, coin) => {
      const next = Int32Array.from({ length: uri.length + 1 }, (_, end) => (coin.next().value ? end : none))
      const expected = next.map((_, start) => {
        const end = start + text.length
        return uri.startsWith(text, start) && next[end] !== none ? end : none
      })
      assert.deepEqual(literalPiece(text)(subjectOf(uri), next), expected)
    }),
    { numRuns: 1000 },
  )
})
