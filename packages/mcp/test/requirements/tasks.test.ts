import assert from 'node:assert/strict'
import { tasks } from '../../src/tasks.ts'
import { InternalError, InvalidParams, MethodNotFound, MissingClientCapability } from '../../src/wire/errors.ts'
import type { Fields } from '../../src/wire/messages.ts'
import { turnsUntil } from '../soon.ts'
import type { RawEnd } from './harness/raw-end.ts'
import { verifies } from './verifies.ts'

const id = 'io.modelcontextprotocol/tasks'
const related = 'io.modelcontextprotocol/related-task'
const elicitation = { form: {} }
const declared = { elicitation, extensions: { [id]: {} } }
const ann = { action: 'accept', content: { name: 'Ann' } }
const iso = /^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d\.\d{3}Z$/
const text = (said: string) => [{ type: 'text', text: said }]

/** A task as it is shown, whichever revision shows it. */
interface Shown extends Fields {
  readonly taskId: string
  readonly status: string
}

const call = (end: RawEnd, name: string, more: Fields = {}) =>
  end.result('tools/call', { name, arguments: {}, ...more })
const shown = async (end: RawEnd, taskId: string) => (await end.result('tasks/get', { taskId })) as Shown

/** Starts a task in the way of the revision that has tasks of its own. */
async function started(end: RawEnd, name: string, more: Fields = {}): Promise<Shown> {
  return (await call(end, name, { task: {}, ...more })).task as Shown
}

/** Asks after a task until it stands like that. */
async function standing(end: RawEnd, taskId: string, status: string, fits = (_: Shown) => true): Promise<Shown> {
  let task = await shown(end, taskId)
  await turnsUntil(async () => {
    if (task.status === status && fits(task)) return true
    assert.ok(['working', 'input_required'].includes(task.status), `it is ${task.status}`)
    task = await shown(end, taskId)
    return false
  }, `a task that is ${status}`)
  return task
}

verifies('extensions: declared', async ({ raw, open, sent }) => {
  const end = await raw('tasks')
  const { capabilities } = (await end.result('server/discover')) as {
    capabilities: { extensions: Fields; tasks?: Fields }
  }
  assert.deepEqual(capabilities.extensions, { [id]: {} })
  assert.equal(capabilities.tasks, undefined)
  const client = await open('tasks', { extensions: [tasks()] })
  assert.deepEqual(client.capabilities.extensions, { [id]: {} })
  assert.match(JSON.stringify(sent('server/discover')), /"extensions":\{"io\.modelcontextprotocol\/tasks":\{\}\}/)
  assert.equal((await open('tools')).capabilities.extensions, undefined)
})

verifies('extensions: one side only', async ({ open, raw }) => {
  const plain = await open('tasks')
  assert.deepEqual((await plain.tools.call('quick', {})).content, text('quick'))
  const alone = await open('tools', { extensions: [tasks()] })
  assert.deepEqual((await alone.tools.call('echo', { text: 'hi' })).content, text('hi'))
  const end = await raw('tools', { capabilities: declared })
  assert.equal((await end.refusal('tasks/get', { taskId: 'x' })).code, MethodNotFound)
})

verifies('tasks: not declared before', async ({ open, raw }) => {
  const client = await open('tasks', { extensions: [tasks()] })
  assert.equal(client.capabilities.tasks, undefined)
  const listed = await client.tools.list().all()
  assert.ok(listed.every(({ execution }) => execution === undefined))
  assert.deepEqual((await client.tools.call('only', {})).content, text('only'))
  const end = await raw('tasks')
  assert.equal((await end.refusal('tasks/get', { taskId: 'x' })).code, MethodNotFound)
})

verifies('tasks: declared', async ({ open }) => {
  const { tasks: offered } = (await open('tasks')).capabilities as { tasks: Fields }
  assert.deepEqual({ ...offered, list: {} }, { list: {}, cancel: {}, requests: { tools: { call: {} } } })
})

verifies('tasks: support of a tool', async ({ open }) => {
  const listed = await (await open('tasks')).tools.list().all()
  const support = (name: string) => listed.find((tool) => tool.name === name)?.execution?.taskSupport
  assert.deepEqual(['plain', 'only', 'quick'].map(support), [undefined, 'required', 'optional'])
})

verifies('tasks: forbidden', async ({ raw }) => {
  const end = await raw('tasks')
  const refusal = await end.refusal('tools/call', { name: 'plain', arguments: {}, task: {} })
  assert.equal(refusal.code, MethodNotFound)
})

verifies('tasks: required', async ({ raw }) => {
  const end = await raw('tasks')
  assert.equal((await end.refusal('tools/call', { name: 'only', arguments: {} })).code, MethodNotFound)
})

verifies('tasks: created', async ({ raw }) => {
  const end = await raw('tasks')
  const task = await started(end, 'gated', { task: { ttl: 30_000 } })
  assert.deepEqual([task.status, task.ttl, task.pollInterval], ['working', 30_000, 50])
  assert.match(String(task.createdAt), iso)
  assert.match(String(task.lastUpdatedAt), iso)
  assert.equal((await shown(end, task.taskId)).taskId, task.taskId)
  const other = await started(end, 'gated')
  assert.notEqual(other.taskId, task.taskId)
  await call(end, 'open')
  await call(end, 'open')
})

verifies('tasks: result', async ({ raw }) => {
  const end = await raw('tasks')
  const { taskId } = await started(end, 'gated')
  const asking = end.ask('tasks/result', { taskId })
  await standing(end, taskId, 'working')
  await call(end, 'open')
  const { content, _meta } = (await asking).result ?? assert.fail()
  assert.deepEqual([content, (_meta as Fields)[related]], [text('through'), { taskId }])
  assert.equal((await shown(end, taskId))._meta, undefined)
})

verifies('tasks: error', async ({ raw }) => {
  const end = await raw('tasks')
  const { taskId } = await started(end, 'break')
  assert.deepEqual(await end.refusal('tasks/result', { taskId }), {
    code: InternalError,
    message: 'broken',
    data: { part: 'axle' },
  })
  const task = await shown(end, taskId)
  assert.deepEqual([task.status, task.statusMessage], ['failed', 'broken'])
})

verifies('tasks: isError has failed', async ({ raw }) => {
  const end = await raw('tasks')
  const { taskId } = await started(end, 'fail')
  assert.equal((await end.result('tasks/result', { taskId })).isError, true)
  assert.equal((await shown(end, taskId)).status, 'failed')
})

verifies('tasks: refused', async ({ raw }) => {
  const end = await raw('tasks')
  for (const method of ['tasks/get', 'tasks/result', 'tasks/cancel'])
    assert.equal((await end.refusal(method, { taskId: 'nowhere' })).code, InvalidParams)
  const { taskId } = await started(end, 'quick')
  await end.result('tasks/result', { taskId })
  assert.equal((await end.refusal('tasks/cancel', { taskId })).code, InvalidParams)
  const { code } = await end.refusal('tasks/list', { cursor: 'nowhere' })
  assert.ok(code === InvalidParams || code === MethodNotFound)
})

verifies('tasks: cancelled', async ({ raw }) => {
  const end = await raw('tasks')
  const { taskId } = await started(end, 'hang')
  assert.equal((await end.result('tasks/cancel', { taskId })).status, 'cancelled')
  assert.deepEqual(
    (await call(end, 'witness', { arguments: { event: 'aborted' } })).content,
    text('The task was cancelled'),
  )
  await end.settled()
  assert.equal((await shown(end, taskId)).status, 'cancelled')
})

verifies('tasks: asked on the stream of the result', async ({ raw }) => {
  const end = await raw('tasks', { capabilities: { elicitation } })
  const { taskId } = await started(end, 'ask')
  await standing(end, taskId, 'input_required')
  assert.deepEqual(end.told('elicitation/create'), [])
  const asking = end.ask('tasks/result', { taskId })
  for (let asked = 0; asked < 3; asked++) {
    await end.until(() => end.told('elicitation/create').length > asked)
    const { id: question, params } = end.told('elicitation/create')[asked] ?? assert.fail()
    assert.deepEqual((params?._meta as Fields | undefined)?.[related], { taskId })
    end.send({ jsonrpc: '2.0', id: question, result: ann })
  }
  assert.deepEqual((await asking).result?.content, text('Ann, Ann, Ann'))
})

verifies('tasks: progress', async ({ raw }) => {
  const end = await raw('tasks')
  const { taskId } = await started(end, 'gated', { _meta: { progressToken: 'mine' } })
  const asking = end.ask('tasks/result', { taskId })
  const { params } = await end.until(({ method }) => method === 'notifications/progress')
  assert.deepEqual(params, { progressToken: 'mine', progress: 1, total: 2, _meta: { [related]: { taskId } } })
  await call(end, 'open')
  await asking
})

verifies('tasks: own', async ({ raw }) => {
  const one = await raw('tasks', { principal: 'ann' })
  const { taskId } = await started(one, 'quick')
  const other = await raw('tasks', { principal: 'bob' })
  for (const method of ['tasks/get', 'tasks/result', 'tasks/cancel']) {
    const refusal = await other.refusal(method, { taskId })
    assert.deepEqual([refusal.code, refusal.message], [InvalidParams, `Cannot find task "${taskId}": no such task`])
  }
  const listed = (await one.result('tasks/list')).tasks as readonly Shown[]
  assert.ok(listed.some((task) => task.taskId === taskId))
  assert.deepEqual((await other.result('tasks/list')).tasks, [])
})

verifies('tasks extension: handle', async ({ raw }) => {
  const end = await raw('tasks', { capabilities: declared })
  const { _meta, ...task } = (await call(end, 'gated')) as Shown
  const { createdAt, lastUpdatedAt, taskId, statusMessage, ...rest } = task
  assert.deepEqual(rest, { resultType: 'task', status: 'working', ttlMs: 60_000, pollIntervalMs: 50 })
  assert.match(String(createdAt), iso)
  assert.match(String(lastUpdatedAt), iso)
  const seen = await shown(end, taskId)
  assert.deepEqual([seen.resultType, seen.taskId, seen.status], ['complete', taskId, 'working'])
  // other processes see the words of a task once they are stored
  await standing(end, taskId, 'working', (now) => now.statusMessage === 'at the gate')
  await call(end, 'open')
})

verifies('tasks extension: plain', async ({ raw }) => {
  const end = await raw('tasks')
  const { resultType, content } = await call(end, 'quick')
  assert.deepEqual([resultType, content], ['complete', text('quick')])
  const refusal = await end.refusal('tools/call', { name: 'only', arguments: {} })
  assert.deepEqual(
    [refusal.code, refusal.data],
    [MissingClientCapability, { requiredCapabilities: { extensions: { [id]: {} } } }],
  )
})

verifies('tasks extension: methods', async ({ raw }) => {
  const end = await raw('tasks')
  for (const method of ['tasks/get', 'tasks/update', 'tasks/cancel']) {
    const { code } = await end.refusal(method, { taskId: 'nowhere', inputResponses: {} })
    assert.equal(code, MissingClientCapability)
  }
  const filter = { notifications: { taskIds: ['nowhere'] } }
  assert.equal((await end.refusal('subscriptions/listen', filter)).code, MissingClientCapability)
  const knowing = await raw('tasks', { capabilities: declared })
  for (const method of ['tasks/result', 'tasks/list'])
    assert.equal((await knowing.refusal(method, { taskId: 'nowhere' })).code, MethodNotFound)
  for (const method of ['tasks/get', 'tasks/update', 'tasks/cancel'])
    assert.equal((await knowing.refusal(method, { taskId: 'nowhere', inputResponses: {} })).code, InvalidParams)
})

verifies('tasks extension: end', async ({ raw }) => {
  const end = await raw('tasks', { capabilities: declared })
  const ended = async (name: string, status: string) => standing(end, ((await call(end, name)) as Shown).taskId, status)
  assert.deepEqual((await ended('quick', 'completed')).result, { content: text('quick') })
  assert.deepEqual((await ended('fail', 'completed')).result, { content: text('no luck'), isError: true })
  const broken = await ended('break', 'failed')
  assert.deepEqual(
    [broken.error, broken.result],
    [{ code: InternalError, message: 'broken', data: { part: 'axle' } }, undefined],
  )
})

verifies('tasks extension: cancelled', async ({ raw }) => {
  const end = await raw('tasks', { capabilities: declared })
  const { taskId } = (await call(end, 'hang')) as Shown
  for (let times = 0; times < 2; times++) {
    const { _meta, ...acknowledged } = await end.result('tasks/cancel', { taskId })
    assert.deepEqual(acknowledged, { resultType: 'complete' })
  }
  assert.deepEqual(
    (await call(end, 'witness', { arguments: { event: 'aborted' } })).content,
    text('The task was cancelled'),
  )
  assert.equal((await shown(end, taskId)).status, 'cancelled')
})

verifies('tasks extension: input', async ({ raw }) => {
  const end = await raw('tasks', { capabilities: declared })
  const { taskId } = (await call(end, 'ask')) as Shown
  const keysOf = (task: Shown): string[] => Object.keys(task.inputRequests as Fields)
  const open = async (count: number, without?: string): Promise<string[]> => {
    const fits = (task: Shown): boolean => {
      const keys = keysOf(task)
      return keys.length === count && !keys.includes(without ?? '')
    }
    return keysOf(await standing(end, taskId, 'input_required', fits))
  }
  const answer = async (key: string) => {
    const { _meta, ...acknowledged } = await end.result('tasks/update', { taskId, inputResponses: { [key]: ann } })
    assert.deepEqual(acknowledged, { resultType: 'complete' })
  }
  const [one = '', other = ''] = await open(2)
  await answer(one)
  assert.deepEqual(await open(1), [other])
  await answer(other)
  // the third question is the first one again, under a key of its own
  const [third = ''] = await open(1, other)
  assert.ok(third !== one)
  await answer(third)
  assert.deepEqual((await standing(end, taskId, 'completed')).result, { content: text('Ann, Ann, Ann') })
})

verifies('tasks extension: input before', async ({ raw }) => {
  const end = await raw('tasks', { capabilities: declared })
  const { inputRequests = {}, requestState, taskId, resultType } = await call(end, 'first')
  assert.deepEqual([resultType, taskId], ['input_required', undefined])
  const [key = ''] = Object.keys(inputRequests as Fields)
  const task = (await call(end, 'first', { inputResponses: { [key]: ann }, requestState })) as Shown
  assert.deepEqual([task.resultType, task.requestState, task.inputRequests], ['task', undefined, undefined])
  assert.deepEqual((await standing(end, task.taskId, 'completed')).result, { content: text('Hello, Ann!') })
})

verifies('tasks extension: notices', async ({ raw }) => {
  const end = await raw('tasks', { capabilities: declared })
  const { taskId } = (await call(end, 'gated', { _meta: { progressToken: 'mine' } })) as Shown
  const other = (await call(end, 'gated')) as Shown
  const listening = end.request('subscriptions/listen', { notifications: { taskIds: [taskId, 'nowhere'] } })
  end.send(listening)
  const { params } = await end.until(({ method }) => method === 'notifications/subscriptions/acknowledged')
  assert.deepEqual(params?.notifications, { taskIds: [taskId] })
  await call(end, 'open')
  const isEnd = ({ method, params }: { method?: string; params?: Fields }) =>
    method === 'notifications/tasks' && params?.status === 'completed'
  const notice = await end.until(isEnd)
  assert.deepEqual(notice.params?.result, { content: text('through') })
  assert.deepEqual(
    (notice.params?._meta as Fields | undefined)?.['io.modelcontextprotocol/subscriptionId'],
    listening.id,
  )
  await call(end, 'open')
  await standing(end, other.taskId, 'completed')
  assert.ok(end.told('notifications/tasks').every((each) => each.params?.taskId === taskId))
  assert.deepEqual([...end.told('notifications/progress'), ...end.told('notifications/message')], [])
  end.notify('notifications/cancelled', { requestId: listening.id })
})

verifies('tasks extension: own', async ({ raw }) => {
  const one = await raw('tasks', { principal: 'ann', capabilities: declared })
  const { taskId } = (await call(one, 'quick')) as Shown
  const other = await raw('tasks', { principal: 'bob', capabilities: declared })
  for (const method of ['tasks/get', 'tasks/update', 'tasks/cancel'])
    assert.equal((await other.refusal(method, { taskId, inputResponses: {} })).code, InvalidParams)
  await standing(one, taskId, 'completed')
})

verifies('tasks: the older parameter', async ({ raw }) => {
  const end = await raw('tasks', { capabilities: declared })
  const { resultType, content } = await call(end, 'plain', { task: { ttl: 1, pollInterval: 1 } })
  assert.deepEqual([resultType, content], ['complete', text('plain')])
})
