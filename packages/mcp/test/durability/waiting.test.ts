/** A client that waits while the server is killed and started again, at the same address. */
import assert from 'node:assert/strict'
import { test } from 'node:test'
import { until } from '../../../../tools/lib/until.ts'
import { storeFolder } from '../stores/sqlite-folder.ts'
import { counter } from './counter.ts'
import { overHttp } from './life.ts'

for (const revision of ['2026-07-28', '2025-11-25']) {
  test(`result: a client that waits gets it from the next process, in the session it had (${revision})`, async () => {
    using place = storeFolder()
    await using effects = await counter()
    await using life = await overHttp(revision)
    const setup = { file: place.path, counter: effects.port }
    const client = await life.next({ ...setup, killAt: 'after the effect mail' })
    const task = await client.tools.start('order', { order: 'one' })
    const result = task.result()
    await life.ended()
    assert.equal(await life.next(setup), client)
    const text = 'reserve done, pay done, mail done for Ann'
    assert.deepEqual((await result).content, [{ type: 'text', text }])
    // the one that was repeatable was repeated
    assert.deepEqual(
      ['reserve', 'pay', 'mail'].map((step) => effects.count('one', step)),
      [1, 1, 2],
    )
  })
}

test('follow: a stream that the server took with it is asked for again, and the task meanwhile', async () => {
  using place = storeFolder()
  await using effects = await counter()
  const listened: string[] = []
  await using life = await overHttp('2026-07-28', (body) => {
    if (body.includes('"subscriptions/listen"')) listened.push(body)
  })
  const setup = { file: place.path, counter: effects.port }
  const client = await life.next(setup)
  const task = await client.tools.start('tick', {})
  const walking = (async () => {
    for await (const _ of task);
  })()
  await until(() => task.state.statusMessage !== undefined, 'the first process to be heard')
  const before = listened.length
  life.kill()
  await life.ended()
  const old = task.state.statusMessage
  await life.next(setup)
  await until(() => listened.length > before, 'the next stream')
  await until(() => task.state.statusMessage !== old, 'the next process to be heard')
  await task.cancel()
  await walking
})
