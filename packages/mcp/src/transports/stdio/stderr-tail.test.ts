import assert from 'node:assert/strict'
import { test } from 'node:test'
import fc from 'fast-check'
import { StderrTail } from './stderr-tail.ts'

test('Tail: is the end of everything that was added', () => {
  fc.assert(
    fc.property(fc.array(fc.string({ maxLength: 20 })), fc.integer({ min: 1, max: 15 }), (pieces, limit) => {
      const tail = new StderrTail(limit)
      for (const piece of pieces) tail.add(piece)
      assert.equal(tail.toString(), pieces.join('').slice(-limit))
    }),
  )
})
