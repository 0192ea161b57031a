import assert from 'node:assert/strict'
import { test } from 'node:test'
import { memoryCluster } from './memory-cluster.ts'

const facts = (epoch: string) => ({ epoch, server: 'weather', sealingKeys: [] })

test('memoryCluster: refuses a process beyond its limit, and takes one that is known', async () => {
  const { presence } = memoryCluster({ limits: { maxProcesses: 1 } })
  await presence.beat(facts('a'), 1_000)
  assert.throws(() => presence.beat(facts('b'), 1_000), /Cannot join the cluster: 1 processes live/)
  assert.deepEqual((await presence.beat(facts('a'), 1_000)).live, [facts('a')])
})

test('memoryCluster: an inbox with too many entries or characters gets nothing more', async () => {
  const { presence, inbox } = memoryCluster({ limits: { maxEntriesPerInbox: 2, maxCharsPerInbox: 3 } })
  await presence.beat(facts('a'), 1_000)
  assert.deepEqual(await inbox.post(['a'], 'four'), [])
  assert.deepEqual(await inbox.post(['a'], '1'), ['a'])
  assert.deepEqual(await inbox.post(['a'], '2'), ['a'])
  assert.deepEqual(await inbox.post(['a'], '3'), [])
  assert.deepEqual(await inbox.take('a', 1), [{ number: 2, data: '2' }])
  assert.deepEqual(await inbox.post(['a'], '3'), ['a'])
  assert.deepEqual(await inbox.take('a', 2), [{ number: 3, data: '3' }])
})

test('memoryCluster: a proof that cannot be remembered is refused', async () => {
  const { proofs } = memoryCluster({ limits: { maxProofs: 1 } })
  assert.equal(await proofs.use('one', 60_000), true)
  assert.throws(() => proofs.use('two', 60_000), /1 are remembered/)
  assert.equal(await proofs.use('one', 60_000), false)
})
