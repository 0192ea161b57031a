import assert from 'node:assert/strict'
import { test } from 'node:test'
import { gate } from '../../test/gate.ts'
import { NamedMutex } from './named-mutex.ts'

test('Turns: tasks of one name run one after the other, in order', async () => {
  const turns = new NamedMutex()
  const log: string[] = []
  const task = (name: string) => async () => {
    log.push(`${name} starts`)
    await new Promise(setImmediate)
    log.push(`${name} ends`)
  }
  await Promise.all([turns.run('a', task('first')), turns.run('a', task('second'))])
  assert.deepEqual(log, ['first starts', 'first ends', 'second starts', 'second ends'])
})

test('Turns: tasks of other names do not wait', async () => {
  const turns = new NamedMutex()
  const held = gate()
  const first = turns.run('a', () => held.promise)
  assert.equal(await turns.run('b', async () => 'done'), 'done')
  held.open()
  await first
})

test('Turns: a task that fails lets the next one go on', async () => {
  const turns = new NamedMutex()
  const failing = turns.run('a', () => Promise.reject(new Error('broken')))
  const next = turns.run('a', async () => 'done')
  await assert.rejects(failing, /broken/)
  assert.equal(await next, 'done')
})

test('Turns: a task aborted while it waits is not run', async () => {
  const turns = new NamedMutex()
  const stop = new AbortController()
  const held = gate()
  const first = turns.run('a', () => held.promise)
  const second = turns.run('a', () => assert.fail('it ran'), stop.signal)
  stop.abort(new Error('enough'))
  held.open()
  await first
  await assert.rejects(second, /enough/)
})
