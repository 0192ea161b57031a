import assert from 'node:assert/strict'
import { test } from 'node:test'
import { CapturedStream } from './captured-stream.ts'
import { KeptOutputs } from './kept-outputs.ts'
import { wrapLimits } from './wrap-limits.ts'

const limits = { ...wrapLimits, maxInlineBytes: 4, maxOutputBytes: 20, maxKeptBytes: 50, maxKeptOutputs: 3 }

function captured(outputs: KeptOutputs, text: string) {
  const stream = new CapturedStream(outputs, limits)
  for (const character of text) stream.take(Buffer.from(character))
  return stream.end()
}

test('CapturedStream: what fits is nowhere else, and what does not is kept up to its limit', () => {
  const outputs = new KeptOutputs(limits)
  const short = captured(outputs, 'abcd')
  assert.deepEqual([Buffer.from(short.head).toString(), short.total, short.kept], ['abcd', 4, undefined])
  const long = captured(outputs, 'abcdefghijklmnopqrstuvwxyz')
  assert.deepEqual([Buffer.from(long.head).toString(), long.total, long.kept?.bytes], ['abcd', 26, 20])
  const read = outputs.read(long.kept?.id ?? '', 0, 100)
  assert.deepEqual([Buffer.from(read?.bytes ?? []).toString(), read?.total], ['abcdefghijklmnopqrst', 20])
  assert.equal(Buffer.from(outputs.read(long.kept?.id ?? '', 18, 100)?.bytes ?? []).toString(), 'st')
  assert.equal(outputs.read(long.kept?.id ?? '', 99, 100)?.bytes.length, 0)
})

test('KeptOutputs: the oldest go when there are too many, and when they are too large', () => {
  const isKept = (outputs: KeptOutputs) => (one: { kept?: { id: string } }) =>
    outputs.read(one.kept?.id ?? '', 0, 1) !== undefined
  const many = new KeptOutputs(limits)
  const small = Array.from({ length: 5 }, () => captured(many, 'abcdef'))
  assert.deepEqual(small.map(isKept(many)), [false, false, true, true, true])
  const large = new KeptOutputs(limits)
  const big = Array.from({ length: 3 }, () => captured(large, 'x'.repeat(20)))
  assert.deepEqual(big.map(isKept(large)), [false, true, true])
})
