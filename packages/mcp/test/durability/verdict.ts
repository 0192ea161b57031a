/** States that an order may be in when its server was killed, at any point. */
import assert from 'node:assert/strict'
import type { SqliteStores } from '../../src/stores/sqlite/stores.ts'
import type { StoredTask } from '../../src/stores/task-store.ts'
import type { Counter } from './counter.ts'
import { repeatable, steps } from './setup.ts'

const unknownStep =
  /^Cannot continue: step "(\w+)" had begun when the server stopped, and whether it took effect is unknown$/
const notAgain = 'Cannot continue: the server stopped while the task was running, and tool "print" cannot be run again'

/** The order that a task is about. */
export function orderOf({ work }: StoredTask): string {
  return (work as { params: { arguments: { order: string } } }).params.arguments.order
}

/** Every task in a file, by its order. */
export async function tasksIn({ tasks }: SqliteStores): Promise<ReadonlyMap<string, StoredTask>> {
  const all = await tasks.list(undefined, 100_000)
  return new Map(all.map((task) => [orderOf(task), task]))
}

/** Fails when what was counted for an order is not what its task says. */
export function assertTrue(order: string, task: StoredTask | undefined, counter: Counter): void {
  const counts = steps.map((step) => counter.count(order, step))
  const say = `order ${order}: ${JSON.stringify(counts)}, ${JSON.stringify(task?.outcome)}`
  for (const [at, step] of steps.entries()) if (step !== repeatable) assert.ok((counts[at] ?? 0) <= 1, say)
  if (!task) return assert.deepEqual(counts, [0, 0, 0], say)
  if (task.status === 'completed') {
    assert.deepEqual(counts.slice(0, 2), [1, 1], say)
    return assert.ok((counts[2] ?? 0) >= 1, say)
  }
  // a client that was never told of a task cannot answer it; the test does not wait until it asks its question
  if (task.status === 'working') return assert.deepEqual(counts.slice(1), [0, 0], say)
  const [, step = ''] = unknownStep.exec(messageOf(task)) ?? assert.fail(say)
  assert.notEqual(step, repeatable, say)
  const lost = steps.indexOf(step as (typeof steps)[number])
  for (const [at, count] of counts.entries()) {
    if (at < lost) assert.equal(count, 1, say)
    if (at > lost) assert.equal(count, 0, say)
  }
}

/** The same for a tool that cannot be run again. */
export function assertPrinted(order: string, task: StoredTask | undefined, counter: Counter): void {
  const count = counter.count(order, 'print')
  const say = `order ${order}: ${count}, ${JSON.stringify(task?.outcome)}`
  if (!task) return assert.equal(count, 0, say)
  if (task.status === 'completed') return assert.equal(count, 1, say)
  assert.ok(count <= 1, say)
  assert.equal(messageOf(task), notAgain, say)
}

function messageOf({ outcome }: StoredTask): string {
  return (outcome as { error: { message: string } }).error.message
}
