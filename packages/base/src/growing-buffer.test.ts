import assert from 'node:assert/strict'
import { test } from 'node:test'
import fc from 'fast-check'
import { GrowingBuffer } from './growing-buffer.ts'

test('GrowingBuffer: holds what was added, in order, whatever the pieces', () => {
  const pieces = fc.array(fc.tuple(fc.uint8Array({ maxLength: 600 }), fc.boolean()), { maxLength: 40 })
  fc.assert(
    fc.property(pieces, (given) => {
      const buffer = new GrowingBuffer()
      for (const [bytes, isOurs] of given) {
        if (isOurs) buffer.adopt(new Uint8Array(bytes))
        else buffer.add(bytes)
      }
      const all = Buffer.concat(given.map(([bytes]) => bytes))
      assert.equal(buffer.length, all.length)
      assert.deepEqual(Buffer.from(buffer.take()), all)
      assert.equal(buffer.length, 0)
    }),
  )
})

test('GrowingBuffer: allocates less than twice what it holds, and never more than its limit', () => {
  const buffer = new GrowingBuffer(100_000)
  let [allocated, copies] = [0, 0]
  for (let length = 0; length < 100_000; length++) {
    allocated += buffer.growth(1)
    if (buffer.growth(1) > 0) copies += 1
    buffer.add(Uint8Array.of(1))
    assert.ok(allocated <= Math.max(256, 2 * (length + 1)) && allocated <= 100_000, `${allocated} for ${length}`)
  }
  // one for each doubling: otherwise small pieces would cost the square of their number
  assert.ok(copies <= 10, `${copies} copies`)
})

test('GrowingBuffer: when it is cleared, a small buffer is used again and a large one is given up', () => {
  const [small, large] = [new GrowingBuffer(), new GrowingBuffer()]
  small.add(new Uint8Array(65_536))
  large.add(new Uint8Array(65_537))
  small.clear()
  large.clear()
  assert.deepEqual([small.length, small.growth(65_536)], [0, 0])
  assert.deepEqual([large.length, large.growth(65_537)], [0, 65_537])
})

test('GrowingBuffer: an adopted chunk is neither copied nor written to', () => {
  const [buffer, first] = [new GrowingBuffer(), new Uint8Array(4)]
  buffer.adopt(first)
  assert.equal(buffer.take().buffer, first.buffer)
  buffer.add(Uint8Array.of(1))
  assert.deepEqual(first, new Uint8Array(4))
})

test('GrowingBuffer: text that arrives byte by byte is whole, with its mark at the beginning, and leaves it empty', () => {
  const buffer = new GrowingBuffer()
  const text = `\ufeff${'größe'.repeat(20_000)}`
  for (const byte of Buffer.from(text)) buffer.add(Uint8Array.of(byte))
  assert.equal(buffer.takeText(), text)
  assert.deepEqual([buffer.length, buffer.growth(256)], [0, 256])
})
