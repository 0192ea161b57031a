import assert from 'node:assert/strict'
import { test } from 'node:test'
import { MemoryEventStore } from './memory-event-store.ts'

/** A store in which a stream has said these things. */
function said(store: MemoryEventStore, stream: string, ...texts: readonly string[]): MemoryEventStore {
  for (const [at, data] of texts.entries()) store.append(stream, { number: at + 1, data })
  return store
}

const texts = (store: MemoryEventStore, stream: string, number: number) =>
  store.after(stream, number)?.map(({ data }) => data)

test('MemoryEventStore.after: gives what came after a number, in order, and nothing for what was never there', () => {
  const store = said(new MemoryEventStore(), 'one', 'a', 'b', 'c')
  assert.deepEqual(texts(store, 'one', 0), ['a', 'b', 'c'])
  assert.deepEqual(texts(store, 'one', 2), ['c'])
  assert.deepEqual(texts(store, 'one', 3), [])
  assert.equal(store.after('one', 4), undefined)
  assert.equal(store.after('other', 0), undefined)
})

test('MemoryEventStore.drop: leaves nothing of a stream', () => {
  const store = said(new MemoryEventStore(), 'one', 'a')
  store.drop('one')
  store.drop('other')
  assert.equal(store.after('one', 0), undefined)
  assert.deepEqual(store.live, { streams: 0, size: 0 })
})

test('MemoryEventStore: of too many events in a stream the oldest go, and then there is a gap', () => {
  const store = said(new MemoryEventStore({ limits: { maxEventsPerStream: 2 } }), 'one', 'a', 'b', 'c')
  assert.equal(store.after('one', 0), undefined)
  assert.deepEqual(texts(store, 'one', 1), ['b', 'c'])
})

test('MemoryEventStore: of too many characters in a stream the oldest go', () => {
  const store = said(new MemoryEventStore({ limits: { maxCharsPerStream: 5 } }), 'one', 'aaa', 'bbb')
  assert.equal(store.after('one', 0), undefined)
  assert.deepEqual(texts(store, 'one', 1), ['bbb'])
  assert.deepEqual(store.live, { streams: 1, size: 3 })
})

test('MemoryEventStore: of too many characters in all, those of the stream go that was quiet for longest', () => {
  const store = said(said(new MemoryEventStore({ limits: { maxChars: 5 } }), 'quiet', 'aaa'), 'loud', 'bbb')
  assert.equal(store.after('quiet', 0), undefined)
  assert.deepEqual(texts(store, 'loud', 0), ['bbb'])
})
