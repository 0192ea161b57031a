import assert from 'node:assert/strict'
import { Writable } from 'node:stream'
import { test } from 'node:test'
import { McpError } from '../../wire/errors.ts'
import { Outbox } from './outbox.ts'

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

/** An outbox whose reader has not yet taken the first line. */
async function blocked(maxQueuedChars?: number): Promise<{ reader: Reader; outbox: Outbox }> {
  const reader = new Reader()
  const outbox = new Outbox(reader, maxQueuedChars)
  assert.equal(outbox.send('x'.repeat(1_000)), undefined)
  await tick()
  return { reader, outbox }
}

test('Outbox: the lines of one tick leave in one write, in order', async () => {
  const reader = new Reader()
  const outbox = new Outbox(reader)
  assert.equal(outbox.send('a'), undefined)
  assert.equal(outbox.send('b'), undefined)
  // answers that take some promises to compute belong to the same tick
  await Promise.resolve().then(() => outbox.send('c'))
  await tick()
  assert.deepEqual(reader.writes.join(''), 'a\nb\nc\n')
  assert.ok(reader.writes.length <= 2)
})

test('Outbox: while the reader takes nothing, senders wait and what they sent is kept in order', async () => {
  const { reader, outbox } = await blocked()
  let done = false
  const sent = outbox.send('a')?.then(() => {
    done = true
  })
  assert.ok(outbox.send('b') instanceof Promise)
  await tick()
  assert.equal(done, false)
  assert.equal(reader.writes.length, 1)
  reader.take()
  await sent
  assert.deepEqual(reader.writes.slice(1), ['a\nb\n'])
  await tick()
})

test('Outbox: a large amount leaves at once, and its sender waits', () => {
  const reader = new Reader()
  const outbox = new Outbox(reader)
  assert.ok(outbox.send('x'.repeat(100_000)) instanceof Promise)
  assert.equal(reader.writes.length, 1)
})

test('Outbox: beyond the limit nothing is kept', async () => {
  const { outbox } = await blocked(100)
  assert.ok(outbox.send('x'.repeat(100)) instanceof Promise)
  await assert.rejects(async () => outbox.send('one too many'), isNotSent)
})

test('Outbox: when the stream breaks, what waited was not sent', async () => {
  const { reader, outbox } = await blocked()
  const waiting = outbox.send('a')
  reader.destroy(new Error('EPIPE'))
  await assert.rejects(async () => waiting, isNotSent)
  await assert.rejects(async () => outbox.send('b'), isNotSent)
  await outbox.flushed()
})

test('Outbox: when the stream breaks, what was written may have been sent', async () => {
  const reader = new Reader()
  const outbox = new Outbox(reader)
  const written = outbox.send('x'.repeat(100_000))
  assert.ok(written)
  reader.destroy(new Error('EPIPE'))
  await written
})

test('Outbox: nobody has to wait', async () => {
  const { reader, outbox } = await blocked()
  void outbox.send('a')
  reader.destroy(new Error('EPIPE'))
  // a rejection that nobody handles would end the test
  await tick()
})

test('Outbox: flushed when the reader has taken everything', async () => {
  const { reader, outbox } = await blocked()
  void outbox.send('a')
  let isFlushed = false
  const flushed = outbox.flushed().then(() => {
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
