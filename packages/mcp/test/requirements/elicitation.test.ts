import assert from 'node:assert/strict'
import type { ElicitationRequest } from '../../src/index.ts'
import type { Fields } from '../../src/wire/messages.ts'
import { isStateless } from './harness/dress.ts'
import { answered, questioning, questionOf } from './harness/question.ts'
import { said } from './harness/said.ts'
import type { Setting } from './harness/setting.ts'
import { verifies } from './verifies.ts'

const accept = (content: Fields) => () => ({ action: 'accept', content }) as const

/** The fields of the form that a tool asks the user to fill in. */
async function fieldsOf(tool: string, setting: Setting): Promise<Fields> {
  return ((await questionOf(tool, setting)).requestedSchema as Fields).properties as Fields
}

verifies('elicitation: form', async ({ open }) => {
  const asked: ElicitationRequest[] = []
  const client = await open('asking', {
    elicitation: (request) => {
      asked.push(request)
      return { action: 'accept', content: { name: 'Ada' } }
    },
  })
  assert.equal(said(await client.tools.call('name', {})), 'Hello, Ada')
  assert.deepEqual(
    asked.map(({ mode, message }) => [mode, message]),
    [['form', 'Your name?']],
  )
})

verifies('elicitation: not before', async ({ open }) => {
  const client = await open('asking', { elicitation: accept({ name: 'Ada' }) })
  const result = await client.tools.call('name', {})
  assert.equal(result.isError, true)
  assert.match(said(result), /elicitation/)
})

verifies('elicitation: decline and cancel', async ({ open }) => {
  for (const action of ['decline', 'cancel'] as const) {
    const client = await open('asking', { elicitation: () => ({ action }) })
    assert.match(said(await client.tools.call('ask politely', {})), new RegExp(`^Went on: .*"${action}"`))
    assert.equal((await client.tools.call('name', {})).isError, true)
    await client.close()
  }
})

verifies('elicitation: flat forms', async (setting) => {
  const { requestedSchema } = await questionOf('order', setting)
  const { type, properties, required } = requestedSchema as Fields
  assert.equal(type, 'object')
  assert.deepEqual(required, ['drink', 'cups', 'milk'])
  const kinds = Object.entries(properties as { [name: string]: Fields }).map(([name, field]) => [name, field.type])
  assert.deepEqual(kinds, [
    ['drink', 'string'],
    ['cups', 'integer'],
    ['milk', 'boolean'],
  ])
})

verifies('elicitation: no mode', async (setting) => {
  assert.ok(!('mode' in (await questionOf('name', setting))))
})

verifies('elicitation: form mode', async (setting) => {
  assert.equal((await questionOf('name', setting)).mode, 'form')
})

const nameForm = { type: 'object', properties: { name: { type: 'string' } }, required: ['name'] }

verifies('elicitation: missing mode', async (setting) => {
  const scene = questioning(setting, 'elicitation/create', { message: 'Your name?', requestedSchema: nameForm })
  const client = await setting.play(scene, { elicitation: { form: accept({ name: 'Ada' }) } })
  await client.tools.call('any', {})
  assert.deepEqual(answered(setting).result, { action: 'accept', content: { name: 'Ada' } })
})

verifies('elicitation: boolean defaults', async (setting) => {
  assert.deepEqual(await fieldsOf('order', setting), {
    drink: { type: 'string' },
    cups: { type: 'integer' },
    milk: { type: 'boolean', default: true },
  })
})

verifies('elicitation: defaults', async (setting) => {
  assert.deepEqual(await fieldsOf('order', setting), {
    drink: { type: 'string', default: 'tea' },
    cups: { type: 'integer', default: 2 },
    milk: { type: 'boolean', default: true },
  })
  const client = await setting.open('asking', { elicitation: accept({ drink: 'milk', milk: false }) })
  assert.deepEqual(JSON.parse(said(await client.tools.call('order', {}))), { drink: 'milk', cups: 2, milk: false })
})

verifies('elicitation: named choices', async (setting) => {
  const size = { type: 'string', enum: ['s', 'l'], enumNames: ['Small', 'Large'] }
  assert.deepEqual(await fieldsOf('choose', setting), { size })
})

const titled = [
  { const: 's', title: 'Small' },
  { const: 'l', title: 'Large' },
]

verifies('elicitation: titled choices', async (setting) => {
  assert.deepEqual(await fieldsOf('choose', setting), { size: { type: 'string', oneOf: titled } })
})

verifies('elicitation: plain choices', async (setting) => {
  assert.deepEqual(await fieldsOf('choose plainly', setting), { size: { type: 'string', enum: ['s', 'l'] } })
})

verifies('elicitation: several choices', async (setting) => {
  const days = { type: 'array', items: { type: 'string', enum: ['mon', 'tue'] } }
  assert.deepEqual(await fieldsOf('choose several', setting), { days })
  const client = await setting.open('asking', { elicitation: accept({ days: ['mon', 'tue'] }) })
  assert.deepEqual(JSON.parse(said(await client.tools.call('choose several', {}))), { days: ['mon', 'tue'] })
})

verifies('elicitation: no several choices', async ({ open }) => {
  const client = await open('asking', { elicitation: accept({ days: ['mon'] }) })
  const result = await client.tools.call('choose several', {})
  assert.equal(result.isError, true)
  assert.match(said(result), /"days"/)
})

verifies('elicitation: old choices are understood', async (setting) => {
  const properties = { size: { type: 'string', enum: ['s', 'l'], enumNames: ['Small', 'Large'] } }
  const requestedSchema = { type: 'object', properties }
  const asked: ElicitationRequest[] = []
  const client = await setting.play(questioning(setting, 'elicitation/create', { message: 'Size?', requestedSchema }), {
    elicitation: (request) => {
      asked.push(request)
      return { action: 'accept', content: { size: 'l' } }
    },
  })
  await client.tools.call('any', {})
  assert.deepEqual(answered(setting).result, { action: 'accept', content: { size: 'l' } })
  const [question] = asked
  assert.ok(question?.mode === 'form')
  assert.deepEqual(question.requestedSchema.properties, { size: { type: 'string', oneOf: titled } })
})

verifies('elicitation: client checks the form', async (setting) => {
  const scene = questioning(setting, 'elicitation/create', { message: 'Your name?', requestedSchema: nameForm })
  const client = await setting.play(scene, { elicitation: accept({ name: 7 }) })
  const call = client.tools.call('any', {})
  if (isStateless(setting.revision)) return assert.rejects(call, { code: 'Misuse', message: /name/ })
  await call
  const { result, error } = answered(setting)
  assert.equal(result, undefined)
  assert.ok(error)
  assert.match(setting.warnings.join(), /name/)
})

verifies('elicitation: server checks the form', async ({ raw, revision }) => {
  const end = await raw('asking', { capabilities: { elicitation: {} } })
  const wrong = { action: 'accept', content: { name: 7 } }
  const call = { name: 'name' }
  if (isStateless(revision)) {
    const { inputRequests, requestState } = await end.result('tools/call', call)
    const inputResponses = Object.fromEntries(Object.keys(inputRequests as Fields).map((key) => [key, wrong]))
    end.send(end.request('tools/call', { ...call, inputResponses, requestState }, 'call'))
  } else {
    end.send(end.request('tools/call', call, 'call'))
    const { id } = await end.until(({ method }) => method === 'elicitation/create')
    end.send({ jsonrpc: '2.0', id, result: wrong })
  }
  const { result } = await end.answer('call')
  assert.equal(result?.isError, true)
  assert.match(JSON.stringify(result?.content), /name/)
})
