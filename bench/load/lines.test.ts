import assert from 'node:assert/strict'
import { test } from 'node:test'
import { Lines } from './lines.ts'

test('Lines: cuts a chunk with several lines', () => {
  assert.deepEqual(new Lines().take(Buffer.from('a\nb\n\nc')), ['a', 'b', ''])
})

test('Lines: joins a line over any chunking, and a character over two chunks', () => {
  const bytes = Buffer.from('äöü\nend\n')
  for (let cut = 0; cut <= bytes.length; cut += 1) {
    const lines = new Lines()
    const taken = [...lines.take(bytes.subarray(0, cut)), ...lines.take(bytes.subarray(cut))]
    assert.deepEqual(taken, ['äöü', 'end'])
  }
})
