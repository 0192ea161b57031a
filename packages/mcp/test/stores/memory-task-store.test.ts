import assert from 'node:assert/strict'
import { test } from 'node:test'
import { MemoryTaskStore } from '../../src/stores/memory-task-store.ts'
import { storedTask } from './task-store-contract.ts'

test('MemoryTaskStore: refuses more tasks than it may keep, and takes them when others have expired', () => {
  const store = new MemoryTaskStore({ limits: { maxTasks: 2 } })
  store.create(storedTask('a'), 10)
  store.create(storedTask('b', { expiresAt: Date.now() - 1 }), 10)
  store.create(storedTask('c'), 10)
  assert.throws(() => store.create(storedTask('d'), 10), { code: 'Busy', message: /2 tasks of \d+ characters/ })
})

test('MemoryTaskStore: refuses more characters than it may keep, in tasks, outcomes and entries, and counts what it keeps', () => {
  const store = new MemoryTaskStore({ limits: { maxChars: 1_000 } })
  store.create(storedTask('a'), 10)
  const { size } = store.live
  assert.throws(() => store.create(storedTask('b', { work: { text: 'x'.repeat(1_000) } }), 10), { code: 'Busy' })
  const outcome = { text: 'x'.repeat(1_000) }
  assert.throws(() => store.update('a', { updatedAt: 7, status: 'completed', outcome }), { code: 'Busy' })
  assert.throws(() => store.write('a', { kind: 'answer', key: 'k', value: outcome }), { code: 'Busy' })
  assert.equal(store.load('a')?.status, 'working')
  assert.deepEqual(store.live, { tasks: 1, size })
  store.write('a', { kind: 'effect', key: 'k', value: { text: 'x'.repeat(100) } })
  store.write('a', { kind: 'effect', key: 'k', value: {} })
  assert.equal(store.live.size, size + 'effect k'.length + '{}'.length)
  store.drop('a')
  assert.deepEqual(store.live, { tasks: 0, size: 0 })
})
