/** A server is killed again and again while many tasks are under way, whenever that happens to be. */
import assert from 'node:assert/strict'
import { suite, test } from 'node:test'
import { setTimeout as sleep } from 'node:timers/promises'
import { sqliteStores } from '../../src/stores/sqlite/stores.ts'
import { storeFolder } from '../stores/sqlite-folder.ts'
import { counter } from './counter.ts'
import { type Life, lifeOver, ways } from './life.ts'
import { type Seen, settled, start } from './order.ts'
import { assertTrue, tasksIn } from './verdict.ts'

const deaths = 5
const ordersPerLife = 6
const longestLifeMs = 150

async function overAndOver(life: Life): Promise<void> {
  using place = storeFolder()
  await using effects = await counter()
  await using processes = life
  const setup = { file: place.path, counter: effects.port }
  const seen = new Map<string, Promise<Seen>>()
  for (let death = 0; death < deaths; death++) {
    const client = await processes.next(setup)
    for (let at = 0; at < ordersPerLife; at++) seen.set(`${death}.${at}`, start(client, 'order', `${death}.${at}`))
    // no moment is better than another
    await sleep(Math.random() * longestLifeMs)
    processes.kill()
    await processes.ended()
  }
  const client = await processes.next(setup)
  for (const starting of seen.values()) {
    const { id } = await starting
    if (id !== undefined) await settled((await client.tasks.attach(id)).result())
  }
  await processes[Symbol.asyncDispose]()
  await using stores = sqliteStores(place.path)
  const tasks = await tasksIn(stores)
  for (const [order, starting] of seen) {
    const { id } = await starting
    const task = tasks.get(order)
    if (id !== undefined) assert.notEqual(task?.status ?? 'gone', 'gone', `order ${order} has a handle and no task`)
    assertTrue(order, task, effects)
  }
}

// they wait more than they work
suite('kill -9, over and over', { concurrency: true }, () => {
  for (const way of ways) {
    test(`of many tasks none has an effect twice (${way.revision}, ${way.over})`, async () =>
      overAndOver(await lifeOver(way)))
  }
})
