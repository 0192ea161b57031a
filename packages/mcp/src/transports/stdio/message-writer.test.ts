import assert from 'node:assert/strict'
import { Writable } from 'node:stream'
import { test } from 'node:test'
import { soon } from '../../../test/soon.ts'
import { McpError } from '../../wire/errors.ts'
import { MessageWriter } from './message-writer.ts'

/** A stream whose reader takes one write at a time, when told to. */
class Reader extends Writable {
  readonly writes: string[] = []
  #take: (() => void) | undefined

  constructor() {
    super({ decodeStrings: false, highWaterMark: 1_000 })
  }

  override _write(chunk: string, _encoding: string, done: () => void): void {
    this.writes.push(chunk)
    this.#take = done
  }

  take(): void {
    this.#take?.()
  }
}

const tick = (): Promise<void> => new Promise((resolve) => setImmediate(resolve))
const isNotSent = (error: unknown): boolean =>
  error instanceof McpError && error.code === 'NotSent' && error.outcome === 'NotSent'

/** A writer whose reader has not yet taken the first line. */
async function blocked(maxQueuedChars?: number): Promise<{ reader: Reader; writer: MessageWriter }> {
  const reader = new Reader()
  const writer = new MessageWriter(reader, maxQueuedChars)
  assert.equal(writer.send('x'.repeat(1_000)), undefined)
  await tick()
  return { reader, writer }
}

test('MessageWriter: the lines of one tick leave in one write, in order', async () => {
  const reader = new Reader()
  const writer = new MessageWriter(reader)
  assert.equal(writer.send('a'), undefined)
  assert.equal(writer.send('b'), undefined)
  // answers that take some promises to compute belong to the same tick
  await Promise.resolve().then(() => writer.send('c'))
  await tick()
  assert.deepEqual(reader.writes.join(''), 'a\nb\nc\n')
  assert.ok(reader.writes.length <= 2)
})

test('MessageWriter: while the reader takes nothing, senders wait and what they sent is kept in order', async () => {
  const { reader, writer } = await blocked()
  let done = false
  const sent = writer.send('a')?.then(() => {
    done = true
  })
  assert.ok(writer.send('b') instanceof Promise)
  await tick()
  assert.equal(done, false)
  assert.equal(reader.writes.length, 1)
  reader.take()
  await sent
  assert.deepEqual(reader.writes.slice(1), ['a\nb\n'])
  await tick()
})

test('MessageWriter: a large amount leaves at once, and its sender waits', () => {
  const reader = new Reader()
  const writer = new MessageWriter(reader)
  assert.ok(writer.send('x'.repeat(100_000)) instanceof Promise)
  assert.equal(reader.writes.length, 1)
})

test('MessageWriter: beyond the limit, which counts what the stream holds, only what must not be lost is kept', async () => {
  const { reader, writer } = await blocked(1_100)
  assert.ok(writer.send('x'.repeat(100)) instanceof Promise)
  assert.ok(writer.isFull)
  const refused = (async () => writer.send('one too many'))()
  await assert.rejects(soon(refused, 'the refusal'), isNotSent)
  const sent = writer.sendAnyway('kept')
  reader.take()
  await sent
  assert.ok(reader.writes.at(-1)?.endsWith('x\nkept\n'))
})

test('MessageWriter: when the stream breaks, what waited was not sent', async () => {
  const { reader, writer } = await blocked()
  const waiting = writer.send('a')
  reader.destroy(new Error('EPIPE'))
  await assert.rejects(async () => waiting, isNotSent)
  await assert.rejects(async () => writer.send('b'), isNotSent)
  await writer.flushed()
})

test('MessageWriter: when the stream breaks, what was written may have been sent', async () => {
  const reader = new Reader()
  const writer = new MessageWriter(reader)
  const written = writer.send('x'.repeat(100_000))
  assert.ok(written)
  reader.destroy(new Error('EPIPE'))
  await written
})

test('MessageWriter: a failure without a waiter is no unhandled rejection', async () => {
  const { reader, writer } = await blocked()
  const unhandled: unknown[] = []
  const note = (reason: unknown): unknown => unhandled.push(reason)
  process.on('unhandledRejection', note)
  void writer.send('a')
  reader.destroy(new Error('EPIPE'))
  await tick()
  process.off('unhandledRejection', note)
  assert.deepEqual(unhandled, [])
})

test('MessageWriter: flushed when the reader has taken everything', async () => {
  const { reader, writer } = await blocked()
  void writer.send('a')
  let isFlushed = false
  const flushed = writer.flushed().then(() => {
    isFlushed = true
  })
  reader.take()
  await tick()
  assert.equal(isFlushed, false)
  while (!isFlushed) {
    reader.take()
    await tick()
  }
  await flushed
  assert.deepEqual(reader.writes.slice(1).join(''), 'a\n')
})
