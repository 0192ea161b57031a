import assert from 'node:assert/strict'
import { describe, it } from 'node:test'
import { connect, type Fields } from '@trunkline/mcp'
import { type RelayRequest, relay } from '@trunkline/mcp/relay'
import { MemoryTaskStore, type TaskStore, tasks } from '@trunkline/mcp/tasks'
import { memoryPair } from '@trunkline/mcp/testing'
import { deferred } from './deferred.ts'
import { OpenCall } from './open-call.ts'

const question = {
  method: 'elicitation/create',
  params: {
    mode: 'form',
    message: 'Which name?',
    requestedSchema: { type: 'object', properties: { name: { type: 'string' } } },
  },
}

/** Makes a task only when it may. */
function slowStore() {
  const kept = new MemoryTaskStore()
  const may = deferred<void>()
  const made: string[] = []
  const store: TaskStore = {
    async create(task, most, entries) {
      await may.promise
      made.push(task.id)
      return kept.create(task, most, entries)
    },
    load: (id) => kept.load(id),
    update: (id, update) => kept.update(id, update),
    write: (id, entry) => kept.write(id, entry),
    entries: (id) => kept.entries(id),
    list: (principal, most, after) => kept.list(principal, most, after),
    unfinished: (most, after) => kept.unfinished(most, after),
    drop: (id) => kept.drop(id),
  }
  return { store, may, made }
}

type Work = (call: OpenCall) => Promise<string>

/** A caller with tasks whose one call does `work`, which becomes a task when `store` lets it. */
async function caller(store: TaskStore, revision: string, work: Work) {
  const gateway = relay({
    name: 'gateway',
    version: '1',
    keys: ['a secret of the test, long enough to seal'],
    capabilities: { tools: {} },
    extensions: [tasks({ store, pollMs: 50 })],
    tool: () => ({ task: 'optional', asksFirst: true }),
    handle: serve(work),
  })
  const dial = () => {
    const [near, far] = memoryPair()
    gateway.serve(far)
    return near
  }
  return connect(dial, {
    revisions: [revision],
    extensions: [tasks()],
    elicitation: () => ({ action: 'accept', content: { name: 'Maria' } }),
  })
}

function serve(work: Work) {
  let open: OpenCall | undefined
  return (request: RelayRequest) => {
    if (open) return open.attach(request)
    const call = new OpenCall('the only one', request)
    open = call
    const begun = Promise.resolve().then(() => work(call))
    call.start(begun.then((text): Fields => ({ content: [{ type: 'text', text }] })))
    return call.attach(request)
  }
}

const name = async (call: OpenCall): Promise<string> => {
  const { content } = await call.ask(question)
  return `named ${(content as Fields).name}`
}

const textOf = (result: object): unknown => (result as { content: [{ text: string }] }).content[0].text

for (const revision of ['2025-11-25', '2026-07-28']) {
  describe(`OpenCall.becomeTask for a ${revision} caller`, () => {
    it('a question just before the task is made is asked in the task', async () => {
      const { store, may, made } = slowStore()
      await using mcp = await caller(store, revision, async (call) => {
        void call.becomeTask()
        const named = name(call)
        may.resolve()
        return named
      })
      const task = await mcp.tools.start('name', {})
      assert.deepEqual(made, [task.id])
      assert.equal(textOf(await task.result()), 'named Maria')
    })

    it('a question long before the task is made is asked in the task', async () => {
      const { store, may, made } = slowStore()
      await using mcp = await caller(store, revision, async (call) => {
        void call.becomeTask()
        setTimeout(() => may.resolve(), 50)
        return name(call)
      })
      const task = await mcp.tools.start('name', {})
      assert.deepEqual(made, [task.id])
      assert.equal(textOf(await task.result()), 'named Maria')
    })

    it('a call that ends before its task is made ends the task', async () => {
      const { store, may, made } = slowStore()
      await using mcp = await caller(store, revision, async (call) => {
        void call.becomeTask()
        setTimeout(() => may.resolve(), 50)
        return 'at once'
      })
      const task = await mcp.tools.start('name', {})
      assert.deepEqual(made, [task.id])
      assert.equal(textOf(await task.result()), 'at once')
    })
  })
}
