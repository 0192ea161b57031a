import assert from 'node:assert/strict'
import { test } from 'node:test'
import { GrowingBuffer } from './growing-buffer.ts'

test('GrowingBuffer: data that arrives byte by byte costs at most twice its size', () => {
  const buffer = new GrowingBuffer()
  for (let count = 0; count < 300_000; count += 1) buffer.append(Buffer.from('x'))
  assert.equal(buffer.length, 300_000)
  assert.ok(buffer.capacity <= 600_000, String(buffer.capacity))
  assert.equal(buffer.takeText(), 'x'.repeat(300_000))
})

test('GrowingBuffer: characters that are cut in two are whole again, and large buffers are not kept', () => {
  const buffer = new GrowingBuffer()
  for (const byte of Buffer.from('größe'.repeat(20_000))) buffer.append(Uint8Array.of(byte))
  assert.equal(buffer.takeText(), 'größe'.repeat(20_000))
  assert.deepEqual([buffer.length, buffer.capacity], [0, 1024])
})
