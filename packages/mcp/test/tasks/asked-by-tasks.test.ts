import assert from 'node:assert/strict'
import { test } from 'node:test'
import { z } from 'zod'
import { tasks } from '../../src/extensions/tasks/tasks.ts'
import { server } from '../../src/server/server.ts'
import { everyRevision, join } from '../../src/testing/revisions.ts'
import { quiet } from '../fixtures/quiet.ts'
import { ann } from './render.ts'

const asking = () =>
  server({ ...quiet, name: 'asking', extensions: [tasks({ asksAsTasks: true, pollMs: 50 })] })
    .tool('name', {}, async (_, ctx) => (await ctx.elicit('Who are you?', z.object({ name: z.string() }))).name)
    .tool('later', { task: 'optional' }, async (_, ctx) => {
      return (await ctx.elicit('Who are you?', z.object({ name: z.string() }))).name
    })
    .tool('model', {}, async (_, ctx) => {
      const messages = [{ role: 'user', content: { type: 'text', text: 'Hello' } }] as const
      const { content } = await ctx.sample({ messages, maxTokens: 10 })
      return JSON.stringify(content)
    })

const sampling = () => ({ role: 'assistant', model: 'parrot', content: { type: 'text', text: 'Hi' } }) as const
const on = { extensions: [tasks()], elicitation: ann, sampling } as const
const revision = '2025-11-25'

test('asksAsTasks: a client that can answers by tasks of its own, inside a call and inside a task', async () => {
  await using both = await join(asking(), { ...on, revisions: [revision] })
  const { tools } = both.client
  assert.deepEqual((await tools.call('name', {})).content, [{ type: 'text', text: 'Ann' }])
  assert.deepEqual((await (await tools.start('later', {})).result()).content, [{ type: 'text', text: 'Ann' }])
  assert.match(JSON.stringify((await tools.call('model', {})).content), /Hi/)
  const said = both.transcript.toString()
  for (const method of ['elicitation/create', 'sampling/createMessage'])
    assert.match(said, new RegExp(`← .*"method":"${method}".*"task":\\{"ttl":3600000\\}`))
  assert.equal(said.match(/← .*"method":"tasks\/result"/g)?.length, 3)
  assert.match(said, /→ .*"action":"accept".*"io.modelcontextprotocol\/related-task"/)
})

test('asksAsTasks: other revisions and clients that did not declare it are asked as ever', async () => {
  await everyRevision(
    asking(),
    async ({ client, transcript }) => {
      if (client.revision >= '2025-06-18')
        assert.deepEqual((await client.tools.call('name', {})).content, [{ type: 'text', text: 'Ann' }])
      if (client.revision !== revision) assert.doesNotMatch(transcript.toString(), /"task":\{"ttl"/)
    },
    on,
  )
  await using both = await join(asking(), { elicitation: ann, revisions: [revision] })
  await both.client.tools.call('name', {})
  assert.doesNotMatch(both.transcript.toString(), /"task":\{"ttl"/)
})

test('a task of a client: an unknown one, a bad time to live and a second cancel are refused', async () => {
  const post = server({ ...quiet, name: 'asking' }).tool('plain', {}, () => 'done')
  const seen: unknown[] = []
  post.use((next) => async (request) => {
    const { incoming } = request
    const ask = (method: string, params: object) => incoming.call(method, { ...params }).catch((error) => error.message)
    const form = { message: 'Who?', requestedSchema: { type: 'object', properties: { name: { type: 'string' } } } }
    seen.push(await ask('tasks/get', { taskId: 'none' }))
    seen.push(await ask('elicitation/create', { ...form, task: { ttl: 0 } }))
    const { task } = (await incoming.call('elicitation/create', { ...form, task: {} })) as { task: { taskId: string } }
    const { taskId } = task
    await ask('tasks/result', { taskId })
    seen.push(await ask('tasks/cancel', { taskId }))
    seen.push(((await ask('tasks/list', {})) as { tasks: object[] }).tasks.length)
    seen.push(await ask('tasks/list', { cursor: 'x' }))
    return next(request)
  })
  await using both = await join(post, { ...on, revisions: [revision] })
  await both.client.tools.call('plain', {})
  assert.deepEqual(
    seen.map((each) => String(each).replace(/"[\w-]{33}"/, '"…"')),
    [
      'Cannot find task "none": no such task',
      'Cannot start a task: "task.ttl" must be more than 0 milliseconds',
      'Cannot cancel task "…": it has ended as completed',
      '1',
      'Cannot list: "cursor" was not issued by this client',
    ],
  )
})
