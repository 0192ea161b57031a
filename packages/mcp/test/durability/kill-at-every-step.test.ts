/** A server is killed at each step of a task's life, and what it did is counted outside of it. */
import assert from 'node:assert/strict'
import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { suite, test } from 'node:test'
import { isLong } from '../../../../tools/lib/long-form.ts'
import { nodePath } from '../../../../tools/lib/node-under-test.ts'
import { sqliteStores } from '../../src/stores/sqlite/stores.ts'
import { storeFolder } from '../stores/sqlite-folder.ts'
import { type Counter, counter } from './counter.ts'
import { type Life, lifeOver, overHttp, ways } from './life.ts'
import { type Seen, settled, start } from './order.ts'
import type { Setup } from './setup.ts'
import { assertPrinted, assertTrue, tasksIn } from './verdict.ts'

/** A Node that is not that of the tests is killed at every third step: the steps are the same there, and the long form takes all. */
const isEach = nodePath === process.execPath || isLong
const stride = isEach ? 1 : 3
const steps = isEach ? 'each step' : 'every third step'

/** The points in the life of a task that is not killed. */
async function pointsOf(life: Life, setup: Setup, tool: string): Promise<readonly string[]> {
  const client = await life.next(setup)
  await (await start(client, tool, 'undisturbed')).outcome
  return [
    ...new Set(
      readFileSync(setup.pointsTo ?? '', 'utf8')
        .trim()
        .split('\n'),
    ),
  ]
}

/** Kills a process at each point; the next one takes up what was left, and is killed at the next point. */
async function killAtEach(life: Life, setup: Setup, { tool, points }: Plan): Promise<void> {
  let before: Seen | undefined
  for (const point of [...points, undefined]) {
    const client = await life.next({ ...setup, ...(point !== undefined && { killAt: point }) })
    if (before?.id !== undefined) await settled((await client.tasks.attach(before.id)).result())
    if (point === undefined) return
    before = await start(client, tool, point)
    // a point that depends on the moment may not come again, and then the task ends
    await Promise.race([life.ended(), ...(before.id === undefined ? [] : [settled(before.outcome)])])
    life.kill()
  }
}

interface Plan {
  readonly tool: 'order' | 'print'
  readonly points: readonly string[]
}

async function everyStep(life: Life, tool: 'order' | 'print'): Promise<void> {
  using place = storeFolder()
  await using effects: Counter = await counter()
  const setup = { file: place.path, counter: effects.port }
  await using processes = life
  const all = await pointsOf(processes, { ...setup, pointsTo: join(place.folder, 'points') }, tool)
  assert.ok(all.length > 5, all.join(', '))
  const points = all.filter((_, at) => at % stride === 0)
  await killAtEach(processes, setup, { tool, points })
  await processes[Symbol.asyncDispose]()
  await using stores = sqliteStores(place.path)
  const tasks = await tasksIn(stores)
  const isTrue = tool === 'order' ? assertTrue : assertPrinted
  for (const point of points) isTrue(point, tasks.get(point), effects)
}

// they wait more than they work
suite('kill -9', { concurrency: true }, () => {
  for (const way of ways) {
    test(`at ${steps} of a task that goes on, effects are never two (${way.revision}, ${way.over})`, async () => {
      await everyStep(await lifeOver(way), 'order')
    })
  }

  test(`at ${steps} of a task that cannot go on, it has failed and says why`, async () => {
    await everyStep(await overHttp('2026-07-28'), 'print')
  })
})
