import assert from 'node:assert/strict'
import { test } from 'node:test'
import { open } from '../../src/client/open.ts'
import { tasks } from '../../src/extensions/tasks/tasks.ts'
import { server } from '../../src/server/server.ts'
import { MemoryTaskStore } from '../../src/stores/memory-task-store.ts'
import type { TaskStore } from '../../src/stores/task-store.ts'
import { memoryPair } from '../../src/transports/memory.ts'

/** Keeps an end only when the task has said one more word. */
function slowStore(spoken: () => Promise<void>): TaskStore {
  const kept = new MemoryTaskStore()
  return {
    create: (task, most, entries) => kept.create(task, most, entries),
    load: (id) => kept.load(id),
    async update(id, update) {
      if (update.status !== undefined) await spoken()
      return kept.update(id, update)
    },
    write: (id, entry) => kept.write(id, entry),
    entries: (id) => kept.entries(id),
    list: (principal, most, after) => kept.list(principal, most, after),
    unfinished: (most, after) => kept.unfinished(most, after),
    drop: (id) => kept.drop(id),
  }
}

for (const revision of ['2025-11-25', '2026-07-28']) {
  test(`tasks: a status given while the end of a task is stored does not hide the end (${revision})`, async () => {
    let spoken: Promise<void> = Promise.resolve()
    const store = slowStore(() => spoken)
    const talking = server({ name: 'talking', version: '1', extensions: [tasks({ store, pollMs: 50 })] }).tool(
      'talk',
      { task: 'required' },
      (_, ctx) => {
        spoken = new Promise((resolve) => {
          setTimeout(() => {
            ctx.status('one more word')
            setTimeout(resolve, 50)
          }, 50)
        })
        return 'done'
      },
    )
    const dial = () => {
      const [near, far] = memoryPair()
      talking.serve(far)
      return near
    }
    await using client = await open(dial, { revisions: [revision], extensions: [tasks()] })
    const task = await client.tools.start('talk', {})
    assert.deepEqual((await task.result()).content, [{ type: 'text', text: 'done' }])
    const { status, updatedAt } = await client.tasks.get(task.id ?? '')
    assert.equal(status, 'completed')
    assert.ok(updatedAt >= task.state.createdAt)
  })
}
