/** Our tasks and a client of version 1 of the official SDK, over HTTP. */
import '../../no-leaks.ts'
import assert from 'node:assert/strict'
import { test } from 'node:test'
import { setTimeout as sleep } from 'node:timers/promises'
import { Client } from '@modelcontextprotocol/sdk/client/index.js'
import { StreamableHTTPClientTransport } from '@modelcontextprotocol/sdk/client/streamableHttp.js'
import { InMemoryTaskStore } from '@modelcontextprotocol/sdk/experimental/tasks/stores/in-memory.js'
import { CallToolResultSchema, ElicitRequestSchema } from '@modelcontextprotocol/sdk/types.js'
import { server } from '@trunkline/mcp'
import { serveHttp } from '@trunkline/mcp/node'
import { type TaskOptions, tasks } from '@trunkline/mcp/tasks'
import { z } from 'zod'
import { quiet } from '../../fixtures/quiet.ts'

const name = z.object({ name: z.string() })
const answer = { action: 'accept', content: { name: 'Ann' } } as const

const brewery = (options: TaskOptions = {}) =>
  server({ ...quiet, name: 'brewery', extensions: [tasks({ pollMs: 50, ...options })] })
    .tool('brew', { task: 'required' }, async (_, ctx) => {
      ctx.status('boiling')
      await ctx.progress(1, 2)
      await sleep(120)
      await ctx.progress(2, 2)
      return 'brewed'
    })
    .tool('spill', { task: 'optional' }, () => {
      throw new Error('spilt')
    })
    .tool('hang', { task: 'optional' }, (_, { signal }) => sleep(2 ** 30, undefined, { signal }))
    .tool('plain', {}, () => 'plain')
    .tool('ask', { task: 'optional' }, async (_, ctx) => `Hello, ${(await ctx.elicit('Who are you?', name)).name}!`)

/** A client of version 1 that is connected, and what it was asked. */
async function visitor(url: string, withTasks = false) {
  const taskStore = new InMemoryTaskStore()
  const asked: unknown[] = []
  const capabilities = {
    elicitation: { form: {} },
    ...(withTasks && { tasks: { list: {}, cancel: {}, requests: { elicitation: { create: {} } } } }),
  }
  const client = new Client({ name: 'v1', version: '1' }, { capabilities, taskStore })
  client.setRequestHandler(ElicitRequestSchema, async ({ params }, { taskStore: store }) => {
    asked.push(params.task ? 'by a task' : 'outright')
    if (!params.task || !store) return answer
    const task = await store.createTask({ ttl: params.task.ttl ?? null, pollInterval: 50 })
    await store.storeTaskResult(task.taskId, 'completed', answer)
    return { task }
  })
  await client.connect(new StreamableHTTPClientTransport(new URL(url)))
  const close = async (): Promise<void> => {
    await client.close()
    taskStore.cleanup()
  }
  return { client, asked, close }
}

/** Messages of a call as a task, one by one. */
async function streamed(client: Client, tool: string, onprogress?: (report: object) => void) {
  const options = { task: { ttl: 60_000 }, ...(onprogress && { onprogress }) }
  const messages = client.experimental.tasks.callToolStream(
    { name: tool, arguments: {} },
    CallToolResultSchema,
    options,
  )
  const said = []
  for await (const message of messages) said.push(message)
  return said
}

test('v1 client, our server: a task is created, polled, and its result fetched; progress arrives by the token of its call', async () => {
  await using http = await serveHttp(brewery(), { port: 0 })
  const { client, close } = await visitor(http.url)
  const { tools } = await client.listTools()
  assert.deepEqual(
    tools.map(({ execution }) => execution?.taskSupport),
    ['required', 'optional', 'optional', undefined, 'optional'],
  )
  const reports: unknown[] = []
  const said = await streamed(client, 'brew', (report) => reports.push(report))
  assert.equal(said[0]?.type, 'taskCreated')
  const last = said.at(-1)
  assert.deepEqual(last?.type === 'result' && last.result.content, [{ type: 'text', text: 'brewed' }])
  assert.ok(said.some((message) => message.type === 'taskStatus' && message.task.statusMessage === 'boiling'))
  assert.ok(reports.length > 0)
  await close()
})

test('v1 client, our server: a tool that fails has failed, and its result says how', async () => {
  await using http = await serveHttp(brewery(), { port: 0 })
  const { client, close } = await visitor(http.url)
  const said = await streamed(client, 'spill')
  assert.equal(said.at(-1)?.type, 'error')
  const created = said[0]
  const taskId = created?.type === 'taskCreated' ? created.task.taskId : ''
  assert.equal((await client.experimental.tasks.getTask(taskId)).status, 'failed')
  const result = await client.experimental.tasks.getTaskResult(taskId, CallToolResultSchema)
  assert.equal(result.isError, true)
  await close()
})

test('v1 client, our server: a task is cancelled once, and an anonymous client cannot list tasks', async () => {
  const shop = brewery()
  await using http = await serveHttp(shop, { port: 0 })
  const { client, close } = await visitor(http.url)
  const messages = client.experimental.tasks.callToolStream({ name: 'hang', arguments: {} }, CallToolResultSchema, {
    task: {},
  })
  const first = await messages.next()
  const taskId = first.value?.type === 'taskCreated' ? first.value.task.taskId : ''
  assert.equal((await client.experimental.tasks.cancelTask(taskId)).status, 'cancelled')
  await assert.rejects(client.experimental.tasks.cancelTask(taskId), { code: -32602 })
  await assert.rejects(client.experimental.tasks.listTasks())
  await close()
  await shop.close()
})

test('v1 client, our server: calls that fit no task are refused as the text says', async () => {
  await using http = await serveHttp(brewery(), { port: 0 })
  const { client, close } = await visitor(http.url)
  const call = (tool: string, task?: object) =>
    client.request({ method: 'tools/call', params: { name: tool, ...(task && { task }) } }, CallToolResultSchema)
  await assert.rejects(call('brew'), { code: -32601 })
  await assert.rejects(call('plain', {}), { code: -32601 })
  await close()
})

for (const withTasks of [false, true]) {
  test(`v1 client, our server: a task asks on the stream of its result${withTasks ? ', by a task of the client' : ''}`, async () => {
    await using http = await serveHttp(brewery({ asksAsTasks: withTasks }), { port: 0 })
    const { client, asked, close } = await visitor(http.url, withTasks)
    const last = (await streamed(client, 'ask')).at(-1)
    assert.deepEqual(last?.type === 'result' && last.result.content, [{ type: 'text', text: 'Hello, Ann!' }])
    assert.deepEqual(asked, [withTasks ? 'by a task' : 'outright'])
    await close()
  })
}
