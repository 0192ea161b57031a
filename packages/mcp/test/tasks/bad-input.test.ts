import assert from 'node:assert/strict'
import { test } from 'node:test'
import { tasks } from '../../src/extensions/tasks/tasks.ts'
import { server } from '../../src/server/server.ts'
import { MemoryTaskStore } from '../../src/stores/memory-task-store.ts'
import type { Fields } from '../../src/wire/messages.ts'
import { quiet } from '../fixtures/quiet.ts'
import { turnsUntil } from '../soon.ts'
import { caller, plainCaller } from './caller.ts'
import { studio } from './render.ts'

const stateless = '2026-07-28'
const handshake = '2025-11-25'
const both = [stateless, handshake] as const
const noSuchTask = (id: string) => ({ code: -32602, message: `Cannot find task "${id}": no such task` })

for (const revision of both) {
  test(`tasks (${revision}): an unknown task is refused by every method`, async () => {
    await using client = await caller(studio(), revision)
    const methods =
      revision === stateless
        ? ['tasks/get', 'tasks/update', 'tasks/cancel']
        : ['tasks/get', 'tasks/result', 'tasks/cancel']
    for (const method of methods)
      await assert.rejects(client.request(method, { taskId: 'nowhere', inputResponses: {} }), noSuchTask('nowhere'))
    await assert.rejects(client.tasks.attach('nowhere'), noSuchTask('nowhere'))
  })

  test(`tasks (${revision}): another caller's task is as unknown as one that was never there`, async () => {
    const shop = studio()
    await using one = await caller(shop, revision, { principal: 'ann' })
    await using other = await caller(shop, revision, { principal: 'bob' })
    await using nobody = await caller(shop, revision)
    const { id = '' } = await one.tools.start('hang', {})
    for (const client of [other, nobody]) {
      await assert.rejects(client.tasks.get(id), noSuchTask(id))
      await assert.rejects(client.request('tasks/cancel', { taskId: id }), noSuchTask(id))
      const method = revision === stateless ? 'tasks/update' : 'tasks/result'
      await assert.rejects(client.request(method, { taskId: id, inputResponses: {} }), noSuchTask(id))
    }
    assert.equal((await one.tasks.get(id)).status, 'working')
    await shop.close()
  })

  test(`tasks (${revision}): a caller has so many tasks and no more, and others have theirs`, async () => {
    const shop = studio({ limits: { maxTasksPerCaller: 2 } })
    await using one = await caller(shop, revision, { principal: 'ann' })
    await using other = await caller(shop, revision, { principal: 'bob' })
    await one.tools.start('hang', {})
    await one.tools.start('hang', {})
    const refusal = { code: -32603, message: 'Cannot start a task: 2 tasks of this caller are stored already' }
    await assert.rejects(one.tools.start('hang', {}), refusal)
    await other.tools.start('hang', {})
    await shop.close()
  })

  test(`tasks (${revision}): no more run at a time than may`, async () => {
    const shop = studio({ limits: { maxTasksRunning: 1 } })
    await using client = await caller(shop, revision)
    const first = await client.tools.start('hang', {})
    await assert.rejects(client.tools.start('hang', {}), /1 tasks are running already/)
    await first.cancel()
    await (await client.tools.start('hang', {})).cancel()
  })

  test(`tasks (${revision}): a store that has no room refuses the call, and a result that has none fails the task`, async () => {
    const store = new MemoryTaskStore({ limits: { maxChars: 2_000 } })
    const shop = server({ ...quiet, name: 'large', extensions: [tasks({ store, pollMs: 50 })] })
      .tool('large', { task: 'optional' }, () => 'x'.repeat(2_000))
      .tool('hang', { task: 'optional' }, () => new Promise<never>(() => {}))
    await using client = await caller(shop, revision)
    const task = await client.tools.start('large', {})
    await assert.rejects(task.result(), { code: -32603, message: 'Cannot store the result of the task' })
    await client.tools.start('hang', {})
    await assert.rejects(
      async () => {
        for (;;) await client.tools.start('hang', {})
      },
      { code: -32603 },
    )
    await shop.close()
  })

  test(`tasks (${revision}): ids are long, random and different`, async () => {
    await using client = await caller(studio(), revision)
    const ids = await Promise.all(
      Array.from({ length: 50 }, async () => (await client.tools.start('render', { frames: 0 })).id ?? ''),
    )
    assert.equal(new Set(ids).size, 50)
    for (const id of ids) assert.match(id, /^[A-Za-z][\w-]{32}$/)
  })

  test(`tasks (${revision}): one that has expired is gone, and its handler is told`, async () => {
    let tell = (_reason: unknown): void => {}
    const gone = new Promise<unknown>((told) => {
      tell = told
    })
    const shop = server({ ...quiet, name: 'short', extensions: [tasks({ ttlMs: 30, pollMs: 50 })] }).tool(
      'hang',
      { task: 'optional' },
      (_, { signal }) =>
        new Promise((_resolve, reject) => {
          signal.addEventListener('abort', () => {
            tell(signal.reason)
            reject(signal.reason)
          })
        }),
    )
    await using client = await caller(shop, revision)
    const task = await client.tools.start('hang', {})
    await assert.rejects(task.result(), noSuchTask(task.id ?? ''))
    assert.match(String(await gone), /The task has expired/)
  })
}

test('tasks/cancel: a task that has ended is refused where the text says so, and acknowledged where it says that', async () => {
  await using old = await caller(studio(), handshake)
  const first = await old.tools.start('render', { frames: 0 })
  await first.result()
  await assert.rejects(old.request('tasks/cancel', { taskId: first.id }), {
    code: -32602,
    message: `Cannot cancel task "${first.id}": it has ended as completed`,
  })
  await first.cancel()
  await using fresh = await caller(studio(), stateless)
  const second = await fresh.tools.start('render', { frames: 0 })
  await second.result()
  assert.deepEqual(Object.keys(await fresh.request('tasks/cancel', { taskId: second.id })), ['_meta'])
  assert.equal((await fresh.tasks.get(second.id ?? '')).status, 'completed')
})

test('tasks/update: unknown and repeated keys are passed over, and a malformed answer is refused by its place', async () => {
  await using client = await caller(studio(), stateless)
  const call = (method: string, params: Fields) => client.request(method, params)
  const { id: taskId = '' } = await client.tools.start('ask', {})
  const keyOf = async (): Promise<string> => {
    let key: string | undefined
    await turnsUntil(async () => {
      key = Object.keys((await client.tasks.get(taskId)).questions ?? {})[0]
      return key !== undefined
    }, 'a question')
    return key ?? ''
  }
  const first = await keyOf()
  const answer = (name: string) => ({ action: 'accept', content: { name } })
  await assert.rejects(call('tasks/update', { taskId, inputResponses: { [first]: { action: 'maybe' } } }), {
    code: -32602,
    message: new RegExp(`^Cannot use "inputResponses.${first}": action must be`),
  })
  await call('tasks/update', { taskId, inputResponses: { unknown: { any: 'thing' }, __proto__: {} } })
  await call('tasks/update', { taskId, inputResponses: { [first]: answer('Ann'), another: {} } })
  await call('tasks/update', { taskId, inputResponses: { [first]: answer('Eve') } })
  const second = await keyOf()
  assert.notEqual(second, first)
  await call('tasks/update', { taskId, inputResponses: { [second]: answer('Bob') } })
  const task = await client.tasks.attach(taskId)
  assert.deepEqual((await task.result()).content, [{ type: 'text', text: 'Ann and Bob' }])
  await call('tasks/update', { taskId, inputResponses: { [second]: answer('Eve') } })
})

test('task.ttl: zero and less is refused, too much is cut, and what is left out is the default', async () => {
  await using client = await plainCaller(studio({ ttlMs: 7_000, limits: { maxTtlMs: 10_000 } }), handshake)
  const ttlOf = async (task: Fields) => {
    const { task: created } = (await client.request('tools/call', {
      name: 'render',
      arguments: { frames: 0 },
      task,
    })) as {
      task: { ttl: number }
    }
    return created.ttl
  }
  for (const ttl of [0, -1, -1e300])
    await assert.rejects(ttlOf({ ttl }), { code: -32602, message: /"task\.ttl" must be more than 0 milliseconds/ })
  for (const ttl of [1.5, '5', null]) await assert.rejects(ttlOf({ ttl }), { code: -32602 })
  assert.equal(await ttlOf({ ttl: 5_000 }), 5_000)
  assert.equal(await ttlOf({ ttl: Number.MAX_SAFE_INTEGER }), 10_000)
  assert.equal(await ttlOf({ ttl: 1e300 }), 10_000)
  assert.equal(await ttlOf({}), 7_000)
})

test('tool: a definition that makes no sense is refused by the name of its member', () => {
  const shop = studio()
  const wrong: readonly [object, RegExp][] = [
    [{ task: 'maybe' }, /"task" must be "optional" or "required"/],
    [{ ttlMs: 1_000 }, /"ttlMs" applies to tasks only; set "task" as well/],
    [{ resumable: true }, /"resumable" applies to tasks only/],
    ...[0, -1, 1.5, Number.NaN, Number.POSITIVE_INFINITY].map((ttlMs): [object, RegExp] => [
      { task: 'optional', ttlMs },
      /"ttlMs" of tool "bad": .* is not a whole number of milliseconds above 0/,
    ]),
    [{ task: 'optional', pollMs: 0 }, /"pollMs" of tool "bad"/],
  ]
  for (const [definition, problem] of wrong) assert.throws(() => shop.tool('bad', definition, () => 'x'), problem)
  assert.throws(() => tasks({ ttlMs: 0 }).server?.({} as never), /"ttlMs" of tasks\(\)/)
  assert.throws(() => studio({ limits: { maxTask: 1 } as object }), /"limits.maxTask": no such limit/)
  assert.throws(() => tasks({ outageMs: -1 }).client?.({ warn() {} }), /"outageMs" of tasks\(\)/)
})

test('tasks/list: shows a caller its own tasks page by page, and is not offered to an anonymous caller', async () => {
  const shop = server({ ...quiet, name: 'listed', pageSize: 2, extensions: [tasks()] }).tool(
    'x',
    { task: 'optional' },
    () => 'x',
  )
  await using ann = await caller(shop, handshake, { principal: 'ann' })
  await using bob = await caller(shop, handshake, { principal: 'bob' })
  const ids: unknown[] = []
  for (let at = 0; at < 5; at++) ids.push((await ann.tools.start('x', {})).id)
  await bob.tools.start('x', {})
  const listed = (await ann.tasks.list().all()).map(({ id }) => id)
  assert.deepEqual(listed.toSorted(), ids.toSorted())
  const { nextCursor } = (await ann.request('tasks/list', {})) as { nextCursor: string }
  await assert.rejects(bob.request('tasks/list', { cursor: nextCursor }), { code: -32602, message: /"cursor" is/ })
  await assert.rejects(ann.request('tasks/list', { cursor: 'x' }), { code: -32602 })
  await using anonymous = await caller(shop, handshake, { headers: new Headers() })
  assert.equal((anonymous.capabilities.tasks as Fields).list, undefined)
  await assert.rejects(anonymous.request('tasks/list', {}), { code: -32601 })
})
