import assert from 'node:assert/strict'
import { test } from 'node:test'
import { dropped, type Output, SlowReaders } from './backpressure.ts'

/** Something written to a reader who takes what the test says. */
class Written implements Output {
  unreadBytes = 0
  isDestroyed = false
  readonly #readers: SlowReaders

  constructor(readers: SlowReaders) {
    this.#readers = readers
  }

  write(bytes: number): this {
    this.unreadBytes += bytes
    this.#readers.wrote(this, bytes)
    return this
  }

  take(bytes: number): void {
    this.unreadBytes -= bytes
  }

  destroy(): void {
    this.isDestroyed = true
    this.unreadBytes = 0
  }
}

type Mocks = Parameters<NonNullable<Parameters<typeof test>[0]>>[0]['mock']

function slowReaders(mock: Mocks, limits: { maxUnreadBytes?: number } = {}) {
  mock.timers.enable({ apis: ['setInterval'] })
  let now = 0
  mock.method(performance, 'now', () => now)
  const readers = new SlowReaders({
    maxUnreadBytesPerConnection: 100,
    maxUnreadBytes: 1_000,
    maxUnreadMs: 1_000,
    ...limits,
  })
  const pass = (ms: number): void => {
    for (let step = 0; step < ms; step += 10) {
      now += 10
      mock.timers.tick(10)
    }
  }
  return { readers, pass, open: () => new Written(readers) }
}

test('SlowReaders: a reader that takes nothing for so long is disconnected, and no other', ({ mock }) => {
  const { readers, pass, open } = slowReaders(mock)
  const [silent, slow, quick] = [open().write(100), open().write(100), open().write(100)]
  quick.take(100)
  for (let round = 0; round < 9; round++) {
    pass(500)
    slow.write(10)
    slow.take(10)
  }
  assert.deepEqual([silent.isDestroyed, slow.isDestroyed, quick.isDestroyed], [true, false, false])
  pass(250)
  assert.deepEqual(readers.live, { readers: 1, bytes: 100 })
  pass(1_500)
  assert.deepEqual([slow.isDestroyed, quick.isDestroyed], [true, false])
  assert.deepEqual(readers.live, { readers: 0, bytes: 0 })
})

test('SlowReaders: a large piece gets the time that a slow line takes for it', ({ mock }) => {
  const { pass, open } = slowReaders(mock, { maxUnreadBytes: 1e9 })
  const large = open().write(64 * 2_000)
  pass(2_900)
  assert.equal(large.isDestroyed, false)
  pass(500)
  assert.equal(large.isDestroyed, true)
})

test('SlowReaders: beyond the total those go first who left most unread for longest', ({ mock }) => {
  const { readers, pass, open } = slowReaders(mock)
  const silent = open().write(300)
  const slow = open().write(300)
  const small = open().write(10)
  pass(200)
  slow.write(10)
  slow.take(50)
  pass(200)
  const last = open().write(500)
  assert.deepEqual(
    [silent, slow, small, last].map((one) => one.isDestroyed),
    [true, false, false, false],
  )
  assert.deepEqual(readers.live, { readers: 3, bytes: 770 })
})

test('SlowReaders: one answer alone may be larger than the total', ({ mock }) => {
  const { open } = slowReaders(mock)
  const small = open().write(10)
  small.take(10)
  const large = open().write(100_000)
  assert.equal(large.isDestroyed, false)
})

test('SlowReaders: bytes that were taken are not counted, even if no event told of it', ({ mock }) => {
  const { open } = slowReaders(mock)
  const outputs = Array.from({ length: 50 }, () => {
    const output = open().write(900)
    output.take(900)
    return output
  })
  assert.ok(outputs.every(({ isDestroyed }) => !isDestroyed))
})

test('dropped: only what may be, and only while the reader is behind', () => {
  const full = Promise.resolve()
  assert.equal(dropped(full, { droppable: true }), full)
  assert.equal(dropped(undefined, { droppable: true }), undefined)
  assert.equal(dropped(full, {}), undefined)
  assert.equal(dropped(full), undefined)
})
