/** Tasks of several processes in memory, and what is refused. */
import assert from 'node:assert/strict'
import { test } from 'node:test'
import '../no-leaks.ts'
import { server } from '@trunkline/mcp'
import { type ClusterStores, memoryCluster, toFetch } from '@trunkline/mcp/http'
import { MemoryTaskStore, tasks } from '@trunkline/mcp/tasks'
import { quiet } from '../fixtures/quiet.ts'
import { taskScenes } from './task-scenes.ts'
import { shop } from './task-shop.ts'

taskScenes({
  name: 'memory',
  shortLeaseMs: 60,
  open() {
    const { tasks: stored = assert.fail(), ...rest } = memoryCluster()
    const stores = { ...rest, tasks: stored }
    return { at: () => stores, async [Symbol.asyncDispose]() {} }
  },
})

test('cluster: tasks are refused where the engine keeps none, and beside a store of their own', () => {
  const { tasks: _, ...rest } = memoryCluster()
  const make = shop(() => 'done')
  const redis = { ...rest, engine: 'Redis' }
  const why = /Cannot serve in a cluster: Redis keeps no tasks, because a failover may lose what was acknowledged/
  assert.throws(() => toFetch(make(0), { cluster: redis }), why)
  const own = server({ ...quiet, name: 'shop', extensions: [tasks({ store: new MemoryTaskStore() })] })
  assert.throws(() => toFetch(own, { cluster: memoryCluster() }), /"store" of tasks\(\) is given too/)
  const old = { create() {}, load() {}, update() {}, write() {}, entries() {}, list() {} }
  const stores = { ...rest, tasks: old } as unknown as ClusterStores
  assert.throws(() => toFetch(make(0), { cluster: stores }), /"tasks" has no method "createOwned"/)
})
