import assert from 'node:assert/strict'
import type { ClientOptions } from '../../src/index.ts'
import type { Fields } from '../../src/wire/messages.ts'
import { isStateless, meta } from './harness/dress.ts'
import type { Setting } from './harness/setting.ts'
import { verifies } from './verifies.ts'

/** Declarations of a server, as they travel. */
async function declaredBy(fixture: string, { raw, revision }: Setting): Promise<Fields> {
  const end = await raw(fixture, { greet: false })
  const result = await (isStateless(revision) ? end.result('server/discover') : end.result('initialize', end.hello()))
  return result.capabilities as Fields
}

/** Declarations of a client, as they travel. */
async function declared({ play, revision, sent }: Setting, options: ClientOptions): Promise<Fields> {
  await play({}, options)
  const { capabilities, _meta } = sent()[0]?.params ?? {}
  return (isStateless(revision) ? (_meta as Fields)[meta.clientCapabilities] : capabilities) as Fields
}

const sample = () => ({ role: 'assistant', model: 'none', content: { type: 'text', text: '' } }) as const
const answer = () => ({ action: 'decline' }) as const

verifies('capabilities: of a server', async (setting) => {
  const { completions, ...others } = await declaredBy('hotel', setting)
  assert.deepEqual(others, {
    tools: { listChanged: true },
    resources: { listChanged: true, subscribe: true },
    prompts: { listChanged: true },
    logging: {},
  })
})

verifies('capabilities: of a bare server', async (setting) => {
  assert.deepEqual(await declaredBy('bare', setting), {})
})

verifies('capabilities: are kept', async ({ open }) => {
  const client = await open('changing')
  const listed = async () => (await client.prompts.list().all()).map(({ name }) => name)
  assert.deepEqual(await listed(), ['extra'])
  await client.tools.call('toggle', { kind: 'prompts' })
  assert.deepEqual(await listed(), [])
  await client.tools.call('toggle', { kind: 'prompts' })
})

verifies('capabilities: completions', async (setting) => {
  assert.deepEqual((await declaredBy('hotel', setting)).completions, {})
})

verifies('capabilities: no completions', async (setting) => {
  assert.ok(!('completions' in (await declaredBy('hotel', setting))))
  const client = await setting.open('hotel')
  const { values } = await client.complete({ template: 'hotel:rooms/{number}', argument: 'number' }, '')
  assert.deepEqual(values, ['1', '2'])
})

verifies('capabilities: of a client', async (setting) => {
  assert.deepEqual(await declared(setting, {}), {})
})

verifies(['capabilities: of a client', 'capabilities: roots that change'], async (setting) => {
  const options = { sampling: sample, roots: [] }
  assert.deepEqual(await declared(setting, options), { sampling: {}, roots: { listChanged: true } })
})

verifies(['capabilities: of a client', 'capabilities: roots without changes'], async (setting) => {
  assert.deepEqual(await declared(setting, { sampling: sample, roots: [] }), { sampling: {}, roots: {} })
})

verifies('capabilities: no elicitation', async (setting) => {
  assert.deepEqual(await declared(setting, { elicitation: answer }), {})
})

verifies('capabilities: elicitation', async (setting) => {
  assert.deepEqual(await declared(setting, { elicitation: { form: answer, url: answer } }), { elicitation: {} })
})

verifies('capabilities: no forms, no elicitation', async (setting) => {
  assert.deepEqual(await declared(setting, { elicitation: { url: answer } }), {})
})

verifies('capabilities: modes of elicitation', async (setting) => {
  const both = { elicitation: { form: {}, url: {} } }
  assert.deepEqual(await declared(setting, { elicitation: { form: answer, url: answer } }), both)
})

verifies('capabilities: sampling', async (setting) => {
  assert.deepEqual(await declared(setting, { sampling: { sample, tools: true, context: true } }), { sampling: {} })
})

verifies('capabilities: parts of sampling', async (setting) => {
  const both = { sampling: { tools: {}, context: {} } }
  assert.deepEqual(await declared(setting, { sampling: { sample, tools: true, context: true } }), both)
})
