import '../no-leaks.ts'
import assert from 'node:assert/strict'
import { test } from 'node:test'
import { Mailbox } from '../mailbox.ts'
import { firstText } from './content.ts'
import type { Change, Driver } from './driver.ts'
import { clients } from './transports/http/clients.ts'
import { hostTrunkline } from './transports/http/trunkline.ts'

test('our server: clients of every make and revision share one mount', async () => {
  await using host = await hostTrunkline()
  await using stack = new AsyncDisposableStack()
  const url = new URL(host.url)
  const openings = clients.flatMap(({ start, revisions }) => revisions.map((revision) => start(url, revision)))
  const drivers = (await Promise.all(openings)).map((driver) => stack.use(driver))
  assert.equal(drivers.length, 22)

  const sums = await Promise.all(drivers.map((driver, n) => driver.call('add', { a: n, b: 100 })))
  assert.deepEqual(
    sums.map(firstText),
    drivers.map((_, n) => `{"sum":${n + 100}}`),
  )
  const told = await Promise.all(drivers.map(watchTools))
  await drivers[0]?.call('grow')
  assert.deepEqual(await Promise.all(told.map((changes) => changes.take())), Array(drivers.length).fill('tools'))
})

async function watchTools(driver: Driver): Promise<Mailbox<Change>> {
  const changes = new Mailbox<Change>()
  await driver.watch('tools', changes.put)
  return changes
}
