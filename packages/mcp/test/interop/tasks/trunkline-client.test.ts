/** Our client and the tasks of a server of version 1 of the official SDK. */
import '../../no-leaks.ts'
import assert from 'node:assert/strict'
import { join } from 'node:path'
import { test } from 'node:test'
import { connect } from '@trunkline/mcp'
import { tasks } from '@trunkline/mcp/tasks'

const text = (said: string) => [{ type: 'text', text: said }]

const brewer = () =>
  connect(
    { command: process.execPath, args: [join(import.meta.dirname, 'v1-server.ts')] },
    {
      revisions: ['2025-11-25'],
      extensions: [tasks()],
      elicitation: () => ({ action: 'accept', content: { name: 'Ann' } }),
    },
  )

test('our client, v1 server: a tool that runs as a task only is called, started and followed', async () => {
  await using mcp = await brewer()
  assert.deepEqual((await mcp.tools.call('brew', {})).content, text('brewed'))
  const task = await mcp.tools.start('brew', {})
  const states: string[] = []
  for await (const { status } of task) states.push(status)
  assert.deepEqual([states[0], states.at(-1)], ['working', 'completed'])
  assert.deepEqual((await task.result()).content, text('brewed'))
  const again = await mcp.tasks.attach(task.id ?? '')
  assert.deepEqual((await again.result()).content, text('brewed'))
  assert.ok((await mcp.tasks.list().all()).some(({ id }) => id === task.id))
})

test('our client, v1 server: a tool that fails answers so, one that hangs is cancelled', async () => {
  await using mcp = await brewer()
  const spilt = await (await mcp.tools.start('spill', {})).result()
  assert.deepEqual([spilt.isError, spilt.content], [true, text('spilt')])
  const hanging = await mcp.tools.start('hang', {})
  await hanging.cancel()
  assert.equal((await mcp.tasks.get(hanging.id ?? '')).status, 'cancelled')
  await assert.rejects(mcp.tasks.attach('nowhere'), { code: -32602 })
})

test('our client, v1 server: a task asks on the stream of its result', async () => {
  await using mcp = await brewer()
  assert.deepEqual((await (await mcp.tools.start('ask', {})).result()).content, text('Hello, Ann!'))
})

test('our client, v1 server: it is asked by a task of its own', async () => {
  await using mcp = await brewer()
  assert.deepEqual((await mcp.tools.call('ask_by_task', {})).content, text('taskCreated taskStatus Hello, Ann!'))
})
