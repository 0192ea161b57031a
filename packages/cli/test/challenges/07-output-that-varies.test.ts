import assert from 'node:assert/strict'
import { test } from 'node:test'
import { fixture, runCli } from '../run-cli.ts'

const probe = (...words: string[]) => runCli(['probe', ...words, ...fixture('varying')])

test('output that varies: a tool that keeps what it says passes', async () => {
  const { exit, stdout } = await probe('sum')
  assert.equal(exit, 0)
  assert.equal(stdout, 'Two calls of "sum" gave the same result; it says that they do not vary\n')
})

test('output that varies: a tool that lies is found out', async () => {
  const { exit, stdout, stderr } = await probe('liar', '--json')
  assert.equal(exit, 2)
  assert.deepEqual(JSON.parse(stdout), { isSame: false, says: [], isFalse: true })
  assert.match(JSON.parse(stderr).error.message, /says that its results do not vary, and they do/)
})

test('output that varies: one that says so may vary', async () => {
  const { exit, stdout } = await probe('clock')
  assert.equal(exit, 0)
  assert.match(stdout, /gave different results; it says that they vary with time/)
})

test('output that varies: nothing is called twice that does not say that a repeat is harmless', async () => {
  const { exit, stderr } = await probe('delete')
  assert.equal(exit, 1)
  assert.match(stderr, /Cannot probe "delete": it does not say that a repeat is harmless/)
  const anyway = await probe('delete', '--anyway')
  assert.equal(anyway.exit, 2)
})
