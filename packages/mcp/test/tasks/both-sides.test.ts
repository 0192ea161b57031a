import assert from 'node:assert/strict'
import { test } from 'node:test'
import { tasks } from '../../src/extensions/tasks/tasks.ts'
import { everyRevision } from '../../src/testing/revisions.ts'
import { ann, studio } from './render.ts'

const on = { extensions: [tasks()], elicitation: ann } as const

test('call: waits for the end of a task, whatever the revision', async () => {
  await everyRevision(
    studio(),
    async ({ client }) => {
      const result = await client.tools.call('render', { frames: 3 })
      assert.match(JSON.stringify(result.content), /frames.*3/)
    },
    on,
  )
})

test('call: a tool that runs as a task only is called all the same, whatever the revision', async () => {
  await everyRevision(
    studio(),
    async ({ client }) => {
      assert.deepEqual((await client.tools.call('only', {})).content, [{ type: 'text', text: 'done' }])
      await client.tools.list().all()
      assert.deepEqual((await client.tools.call('only', {})).content, [{ type: 'text', text: 'done' }])
    },
    on,
  )
})

test('call: a task asks its client and goes on with the answers, whatever the revision can ask', async () => {
  await everyRevision(
    studio(),
    async ({ client }) => {
      const { content, isError } = await client.tools.call('ask', {})
      if (client.revision < '2025-06-18') assert.equal(isError, true)
      else assert.deepEqual(content, [{ type: 'text', text: 'Ann and Ann' }])
    },
    on,
  )
})

test('call: a tool that fails answers so, and an error of the protocol rejects, whatever the revision', async () => {
  await everyRevision(
    studio(),
    async ({ client }) => {
      assert.equal((await client.tools.call('fail', {})).isError, true)
      await assert.rejects(client.tools.call('break', {}), { code: -32603, message: 'the wall came down' })
    },
    on,
  )
})

test('start: hands out a task whose states can be walked through and whose result can be waited for', async () => {
  await everyRevision(
    studio(),
    async ({ client }) => {
      await using task = await client.tools.start('render', { frames: 5 })
      const seen: string[] = []
      for await (const { status } of task) seen.push(status)
      assert.equal(seen[0], 'working')
      assert.equal(seen.at(-1), 'completed')
      const { structuredContent, content } = await task.result()
      assert.match(JSON.stringify(structuredContent ?? content), /frames.*5/)
      assert.equal(typeof task.id === 'string', client.revision >= '2025-11-25')
    },
    on,
  )
})

test('start: cancelling reaches the handler and ends the task', async () => {
  await everyRevision(
    studio(),
    async ({ client }) => {
      const task = await client.tools.start('hang', {})
      await task.cancel()
      await assert.rejects(task.result())
      assert.equal(client.live.pending, 0)
    },
    on,
  )
})
