import assert from 'node:assert/strict'
import { PassThrough } from 'node:stream'
import { test } from 'node:test'
import { StreamReader } from './stream-reader.ts'

const mebibyte = 1_048_576

const textOf = ({ value = new Uint8Array() }: { value?: Uint8Array | undefined }) => Buffer.from(value).toString()

test('StreamReader: a reader that is slow makes the sender wait, and loses nothing', async () => {
  const stream = new PassThrough({ highWaterMark: 1 })
  const pieces = new StreamReader(stream)
  const written: string[] = []
  for (; written.length < 100 && !stream.isPaused(); written.push(`${written.length}`.repeat(8_192))) {
    stream.write(`${written.length}`.repeat(8_192))
    await new Promise(setImmediate)
  }
  assert.equal(written.length, 8)
  stream.end('last')
  let read = ''
  for (let piece = await pieces.read(); !piece.done; piece = await pieces.read()) read += textOf(piece)
  assert.ok(read === `${written.join('')}last`)
})

test('StreamReader: chunks that arrive between two reads are one piece, and the first is not copied', async () => {
  const stream = new PassThrough()
  const pieces = new StreamReader(stream)
  for (const letter of 'abc') stream.write(letter)
  await new Promise(setImmediate)
  assert.equal(textOf(await pieces.read()), 'abc')
  const bytes = Buffer.from('whole')
  stream.write(bytes)
  await new Promise(setImmediate)
  assert.equal((await pieces.read()).value?.buffer, bytes.buffer)
})

test('StreamReader: an error comes after what arrived before it', async () => {
  const stream = new PassThrough()
  const pieces = new StreamReader(stream)
  const closed = new Promise((resolve) => stream.once('close', resolve))
  stream.write('first')
  stream.destroy(new Error('broke'))
  await closed
  assert.equal(textOf(await pieces.read()), 'first')
  await assert.rejects(pieces.read(), /broke/)
})

test('StreamReader: a stream that is closed before its end is an error', async () => {
  const stream = new PassThrough()
  const pieces = new StreamReader(stream)
  const wanted = pieces.read()
  stream.destroy()
  await assert.rejects(wanted, /closed before its end/)
})

test('StreamReader: to cancel is to let go of the stream', async () => {
  const stream = new PassThrough()
  stream.write(Buffer.alloc(mebibyte))
  await new StreamReader(stream).cancel()
  assert.ok(stream.destroyed)
})
