import assert from 'node:assert/strict'
import { test } from 'node:test'
import { MemorySessionStore } from './memory-session-store.ts'

const record = (alias: string) => ({ alias, messages: [] })

test('MemorySessionStore: gives back what was saved last, until it is dropped', () => {
  const store = new MemorySessionStore()
  store.save('one', record('a'))
  store.save('one', record('b'))
  assert.deepEqual(store.load('one'), record('b'))
  assert.equal(store.load('other'), undefined)
  store.drop('one')
  assert.equal(store.load('one'), undefined)
  assert.deepEqual(store.live, { records: 0 })
})

test('MemorySessionStore: of too many records those go that were not used for longest', () => {
  const store = new MemorySessionStore({ limits: { maxSessions: 2 } })
  store.save('one', record('a'))
  store.save('two', record('b'))
  store.load('one')
  store.save('three', record('c'))
  assert.equal(store.load('two'), undefined)
  assert.deepEqual(store.load('one'), record('a'))
  assert.deepEqual(store.load('three'), record('c'))
})

test('MemorySessionStore: keeps 10 000 records unless told otherwise', () => {
  const store = new MemorySessionStore()
  for (let at = 0; at <= 10_000; at++) store.save(`${at}`, record('a'))
  assert.deepEqual(store.live, { records: 10_000 })
  assert.equal(store.load('0'), undefined)
})
