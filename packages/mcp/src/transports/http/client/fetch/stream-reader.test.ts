import assert from 'node:assert/strict'
import { PassThrough } from 'node:stream'
import { test } from 'node:test'
import { StreamReader } from './stream-reader.ts'

const mebibyte = 1_048_576

test('Pieces: whoever does not read makes the sender wait, and loses nothing', async () => {
  const stream = new PassThrough({ highWaterMark: 1 })
  const pieces = new StreamReader(stream)
  let written = 0
  for (; written < 100 && !stream.isPaused(); written++) {
    stream.write(String(written))
    await new Promise(setImmediate)
  }
  assert.equal(written, 16)
  stream.end('last')
  const read: string[] = []
  for (let piece = await pieces.read(); !piece.done; piece = await pieces.read()) read.push(String(piece.value))
  assert.deepEqual(read, [...Array.from({ length: 16 }, (_, at) => String(at)), 'last'])
})

test('Pieces: an error comes after what arrived before it', async () => {
  const stream = new PassThrough()
  const pieces = new StreamReader(stream)
  const closed = new Promise((resolve) => stream.once('close', resolve))
  stream.write('first')
  stream.destroy(new Error('broke'))
  await closed
  assert.equal(String((await pieces.read()).value), 'first')
  await assert.rejects(pieces.read(), /broke/)
})

test('Pieces: a stream that is closed before its end is an error', async () => {
  const stream = new PassThrough()
  const pieces = new StreamReader(stream)
  const wanted = pieces.read()
  stream.destroy()
  await assert.rejects(wanted, /closed before its end/)
})

test('Pieces: to cancel is to let go of the stream', async () => {
  const stream = new PassThrough()
  stream.write(Buffer.alloc(mebibyte))
  await new StreamReader(stream).cancel()
  assert.ok(stream.destroyed)
})
