import assert from 'node:assert/strict'
import { test } from 'node:test'
import { choose, readArguments } from './arguments.ts'

const things = [{ name: 'a' }, { name: 'b' }]

test('readArguments: nothing asks for everything', () => {
  const none = { quick: false, check: false, list: false, help: false, only: [], contestants: [] }
  assert.deepEqual({ ...readArguments([]) }, none)
})

test('readArguments: names may be repeated', () => {
  const { only, contestants } = readArguments(['--only', 'a', '--only', 'b', '--with', 'tmcp'])
  assert.deepEqual([only, contestants], [['a', 'b'], ['tmcp']])
})

test('readArguments: rounds are a number', () => {
  assert.equal(readArguments(['--rounds', '25']).rounds, 25)
})

test('readArguments: refuses what it does not know', () => {
  assert.throws(() => readArguments(['--fast']), /--fast/)
  assert.throws(() => readArguments(['--profile', 'ftp']), /Cannot profile "ftp"/)
  assert.throws(() => readArguments(['--rounds', '0']), /Cannot take "0" rounds/)
})

test('choose: no names choose everything', () => {
  assert.deepEqual(choose(things, []), things)
})

test('choose: an unknown name is an error that lists the known ones', () => {
  assert.deepEqual(choose(things, ['b']), [{ name: 'b' }])
  assert.throws(() => choose(things, ['c']), /Cannot find "c": choose from a, b/)
})
