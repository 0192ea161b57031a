/** Ten thousand tasks at once, and what is left of them afterwards. */
import assert from 'node:assert/strict'
import { test } from 'node:test'
import { setFlagsFromString } from 'node:v8'
import { runInNewContext } from 'node:vm'
import { until } from '../../../../tools/lib/until.ts'
import { tasks } from '../../src/extensions/tasks/tasks.ts'
import { server } from '../../src/server/server.ts'
import { MemoryTaskStore } from '../../src/stores/memory-task-store.ts'
import { quiet } from '../fixtures/quiet.ts'
import { plainCaller } from './caller.ts'

const crowd = 10_000

setFlagsFromString('--expose-gc')
const collect: () => void = runInNewContext('gc')

async function heap(): Promise<number> {
  // what is let go in this turn is collected in the next
  await new Promise((resolve) => setTimeout(resolve, 20))
  collect()
  return process.memoryUsage().heapUsed
}

test(`tasks: ${crowd} run at once in bounded memory, and leave nothing behind`, async (context) => {
  const store = new MemoryTaskStore()
  let open: () => void = () => {}
  let gate = new Promise<void>((resolve) => {
    open = resolve
  })
  let [running, finished] = [0, 0]
  const limits = { maxTasksPerCaller: crowd, maxTasksRunning: crowd }
  const hall = server({ ...quiet, name: 'hall', extensions: [tasks({ store, limits, ttlMs: 600_000 })] }).tool(
    'wait',
    { task: 'optional' },
    async () => {
      running += 1
      await gate
      finished += 1
      return 'done'
    },
  )
  const client = await plainCaller(hall, '2025-11-25')
  const start = async (): Promise<string> => {
    const { task } = (await client.request('tools/call', { name: 'wait', arguments: {}, task: {} })) as {
      task: { taskId: string }
    }
    return task.taskId
  }
  const some = async (count: number): Promise<string[]> => {
    const ids: string[] = []
    while (ids.length < count) ids.push(...(await Promise.all(Array.from({ length: 100 }, start))))
    return ids
  }
  // what is made once, for the first of them, is not the price of the others
  await some(100)
  open()
  gate = new Promise((resolve) => {
    open = resolve
  })
  const empty = await heap()

  const ids = await some(crowd - 100)
  assert.equal(running, crowd)
  const full = await heap()
  const each = (full - empty) / (crowd - 100)
  context.diagnostic(`${Math.round(each)} bytes of heap for each task that runs`)
  assert.ok(each < 16_384, `${each} bytes for each`)
  await assert.rejects(start(), { code: -32603 })
  assert.equal(store.live.tasks, crowd)
  const { status } = await client.request('tasks/get', { taskId: ids[0] })
  assert.equal(status, 'working')

  open()
  await client.request('tasks/result', { taskId: ids.at(-1) })
  await until(() => finished === crowd, 'all tasks to finish')
  for (const { id } of store.list(undefined, crowd)) store.drop(id)
  assert.deepEqual(store.live, { tasks: 0, size: 0 })
  const after = await heap()
  context.diagnostic(`${Math.round((after - empty) / 1_048_576)} MiB more than before, when all are gone`)
  assert.ok(after - empty < (full - empty) / 4)
  await client.close()
})
