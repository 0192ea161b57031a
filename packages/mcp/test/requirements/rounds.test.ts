import assert from 'node:assert/strict'
import { InternalError, type SamplingRequest, type SamplingResult } from '../../src/index.ts'
import type { Fields } from '../../src/wire/messages.ts'
import type { RawEnd } from './harness/raw-end.ts'
import { said } from './harness/said.ts'
import { verifies } from './verifies.ts'

/** A model that repeats what it is told. */
const parrot = ({ messages }: SamplingRequest): SamplingResult => {
  const words = messages.at(-1)?.content as { readonly type: 'text'; readonly text: string }
  return { role: 'assistant', model: 'parrot', content: { type: 'text', text: words.text } }
}
const spoken = (words: string): Fields => ({ role: 'assistant', model: 'raw', content: { type: 'text', text: words } })

interface Asked extends Fields {
  readonly inputRequests: { readonly [key: string]: { readonly method: string; readonly params: Fields } }
  readonly requestState: string
}

/** Calls a tool that asks. */
async function ask(end: RawEnd, name: string, more: Fields = {}): Promise<Asked> {
  const result = await end.result('tools/call', { name, ...more })
  assert.equal(result.resultType, 'input_required')
  return result as unknown as Asked
}

/** Everything that was asked, answered with the same. */
function answers({ inputRequests, requestState }: Asked, answer: Fields): Fields {
  const keys = Object.keys(inputRequests)
  return { inputResponses: Object.fromEntries(keys.map((key) => [key, answer])), requestState }
}

const capabilities = { sampling: {}, elicitation: {}, roots: {} }

verifies('rounds: linear handlers', async ({ open }) => {
  const client = await open('asking', { sampling: parrot })
  const answers = JSON.parse(said(await client.tools.call('in turn', {})))
  assert.deepEqual(
    answers.map(({ text }: Fields) => text),
    ['One', 'Two'],
  )
})

verifies(['rounds: asked by a result', 'rounds: bare questions'], async ({ raw }) => {
  const end = await raw('asking', { capabilities })
  const { inputRequests, requestState } = await ask(end, 'sample')
  const [question, ...others] = Object.values(inputRequests)
  const messages = [{ role: 'user', content: { type: 'text', text: 'Sing' } }]
  const params = { messages, maxTokens: 10, systemPrompt: 'Loudly' }
  assert.deepEqual(question, { method: 'sampling/createMessage', params })
  assert.deepEqual(others, [])
  assert.equal(typeof requestState, 'string')
})

verifies('rounds: together', async ({ raw, open, sent }) => {
  const end = await raw('asking', { capabilities })
  const { inputRequests } = await ask(end, 'all at once')
  const methods = Object.values(inputRequests).map(({ method }) => method)
  assert.deepEqual(methods.sort(), ['elicitation/create', 'roots/list', 'sampling/createMessage'])
  const client = await open('asking', {
    sampling: parrot,
    elicitation: () => ({ action: 'accept', content: { name: 'Ada' } }),
    roots: [{ uri: 'file:///home' }],
  })
  const { name, content, roots } = JSON.parse(said(await client.tools.call('all at once', {})))
  assert.deepEqual([name, content.text, roots], ['Ada', 'Sing', 1])
  assert.equal(sent('tools/call').length, 2)
})

verifies('rounds: prompts and resources', async ({ open }) => {
  const client = await open('asking', { elicitation: () => ({ action: 'accept', content: { name: 'Ada' } }) })
  const { messages } = await client.prompts.get('poem', {})
  assert.deepEqual(messages, [{ role: 'user', content: { type: 'text', text: 'About Ada' } }])
  const { contents } = await client.resources.read('test:letter')
  assert.deepEqual(contents, [{ uri: 'test:letter', text: 'Dear Ada' }])
})

const question = {
  method: 'elicitation/create',
  params: { mode: 'form', message: 'Name?', requestedSchema: { type: 'object', properties: {} } },
}
const required = (more: Fields) => [{ result: { resultType: 'input_required', ...more } }]
const done = [{ result: { resultType: 'complete', content: [] } }]
const elicitation = () => ({ action: 'accept', content: { name: 'Ada' } }) as const

verifies('rounds: how a client comes back', async ({ play, sent }) => {
  const requestState = ' v1."exact" – 日本 \n'
  const asked = required({ inputRequests: { a: question, b: question, __proto: question }, requestState })
  const client = await play({ 'tools/call': [asked, done] }, { elicitation })
  await client.tools.call('greet', { name: 'Ada' }, { meta: { 'example.com/note': 'noted' } })
  const [first, second] = sent('tools/call')
  const answer = { action: 'accept', content: { name: 'Ada' } }
  assert.notEqual(second?.id, first?.id)
  const { inputResponses, requestState: echoed, _meta, ...params } = second?.params ?? {}
  assert.deepEqual(inputResponses, { a: answer, b: answer, __proto: answer })
  assert.equal(echoed, requestState)
  assert.deepEqual(params, { name: 'greet', arguments: { name: 'Ada' } })
  assert.equal((_meta as Fields)['example.com/note'], 'noted')
})

verifies('rounds: only a state', async ({ play, sent }) => {
  const client = await play({ 'tools/call': [required({ requestState: 'later' }), done] })
  await client.tools.call('any', {})
  assert.equal(sent('tools/call')[1]?.params?.requestState, 'later')
})

verifies('rounds: no state', async ({ play, sent }) => {
  const client = await play({ 'tools/call': [required({ inputRequests: { a: question } }), done] }, { elicitation })
  await client.tools.call('any', {})
  assert.deepEqual(Object.keys(sent('tools/call')[1]?.params ?? {}).sort(), [
    '_meta',
    'arguments',
    'inputResponses',
    'name',
  ])
})

verifies('rounds: state of one call', async ({ play, sent }) => {
  const asked = required({ inputRequests: { a: question }, requestState: 'mine' })
  const client = await play(
    { 'tools/call': [asked, done], 'prompts/get': [[{ result: { messages: [] } }]] },
    {
      elicitation: async () => {
        await client.prompts.get('meanwhile', {})
        return { action: 'accept', content: {} }
      },
    },
  )
  await client.tools.call('any', {})
  assert.deepEqual(Object.keys(sent('prompts/get')[0]?.params ?? {}).sort(), ['_meta', 'arguments', 'name'])
})

verifies('rounds: nothing asked', async ({ play }) => {
  const client = await play({ 'tools/call': [required({})] })
  await assert.rejects(client.tools.call('any', {}), { name: 'McpError', code: 'InvalidResponse' })
})

verifies('rounds: unknown question', async ({ play, sent }) => {
  const unknown = { method: 'secrets/list', params: {} }
  const malformed = { method: 'elicitation/create', params: { mode: 'form' } }
  const bad = [unknown, malformed, null, 'name?', {}, [], { method: 7 }]
  const scene = bad.map((one) => required({ inputRequests: { a: one }, requestState: 's' }))
  const client = await play({ 'tools/call': scene }, { elicitation })
  for (const one of bad) {
    const refused = { name: 'McpError', code: 'InvalidResponse' }
    await assert.rejects(client.tools.call('any', {}), refused, JSON.stringify(one))
  }
  assert.equal(sent('tools/call').length, bad.length)
})

verifies('rounds: missing answer', async ({ raw }) => {
  const end = await raw('asking', { capabilities })
  const first = await ask(end, 'all at once')
  const [key = '', question] =
    Object.entries(first.inputRequests).find(([, { method }]) => method === 'roots/list') ?? []
  const { [key]: _, ...missing } = first.inputRequests
  assert.ok(question)
  const partly = { inputResponses: { [key]: { roots: [] } }, requestState: first.requestState }
  const second = await ask(end, 'all at once', partly)
  assert.deepEqual(second.inputRequests, missing)
})

verifies('rounds: answers to nothing', async ({ raw }) => {
  const end = await raw('asking', { capabilities })
  const { inputResponses, requestState } = answers(await ask(end, 'sample'), spoken('La'))
  const more = { inputResponses: { ...(inputResponses as Fields), other: { roots: [] } }, requestState }
  const result = await end.result('tools/call', { name: 'sample', ...more })
  assert.deepEqual(result.content, [{ type: 'text', text: 'La' }])
})

verifies('rounds: earlier answers', async ({ open, sent }) => {
  const client = await open('asking', { sampling: parrot })
  await client.tools.call('in turn', {})
  const brought = sent('tools/call').map(({ params }) => Object.keys((params?.inputResponses as Fields) ?? {}))
  assert.deepEqual(
    brought.map((keys) => keys.length),
    [0, 1, 1],
  )
  assert.notDeepEqual(brought[1], brought[2])
})

verifies('rounds: on any server', async ({ raw }) => {
  const here = await raw('asking', { capabilities })
  const there = await raw('asking', { capabilities, fresh: true })
  const one = await ask(here, 'in turn')
  const two = await ask(there, 'in turn', answers(one, spoken('One')))
  const { content } = await here.result('tools/call', { name: 'in turn', ...answers(two, spoken('Two')) })
  assert.match(JSON.stringify(content), /One.*Two/)
})

verifies('rounds: nothing is kept', async ({ raw }) => {
  const end = await raw('asking', { capabilities, fresh: true })
  for (let call = 0; call < 3; call++) await ask(end, 'let go')
  const { content } = await end.result('tools/call', { name: 'gone' })
  assert.deepEqual(content, [{ type: 'text', text: '3' }])
})

verifies('rounds: server has enough', async ({ open, sent }) => {
  const client = await open('asking', { sampling: parrot, limits: { maxInputRoundsPerCall: 100 } })
  await assert.rejects(client.tools.call('for ever', {}), { code: InternalError, message: /10 rounds/ })
  assert.equal(sent('tools/call').length, 11)
})

verifies('rounds: client has enough', async ({ play, sent }) => {
  const client = await play(
    { 'tools/call': [required({ requestState: 'again' })] },
    { limits: { maxInputRoundsPerCall: 3 } },
  )
  await assert.rejects(client.tools.call('any', {}), { name: 'McpError', code: 'TooMany', message: /3 times/ })
  assert.equal(sent('tools/call').length, 4)
})

verifies('rounds: too many questions', async ({ open }) => {
  const client = await open('asking', { sampling: parrot })
  const result = await client.tools.call('too many', {})
  assert.equal(result.isError, true)
  assert.match(said(result), /100 questions/)
})

verifies('rounds: a handler that strays', async ({ open }) => {
  const client = await open('asking', { sampling: parrot })
  await assert.rejects(client.tools.call('fickle', {}), { code: InternalError, message: /asked other questions/ })
})

verifies('rounds: progress', async ({ open }) => {
  const client = await open('asking', { sampling: parrot })
  const steps: number[] = []
  await client.tools.call('step by step', {}, { onProgress: ({ progress }) => steps.push(progress) })
  assert.deepEqual(steps, [1, 2])
})

verifies('rounds: same question twice', async ({ open }) => {
  let times = 0
  const client = await open('asking', {
    sampling: () => ({ role: 'assistant', model: 'counter', content: { type: 'text', text: `${++times}` } }),
  })
  const answers = JSON.parse(said(await client.tools.call('same twice', {})))
  assert.deepEqual(
    answers.map(({ text }: Fields) => text),
    ['1', '2'],
  )
})

verifies('once: runs once', async ({ open }) => {
  const client = await open('asking', { sampling: parrot, fresh: true })
  const { before, after, happened } = JSON.parse(said(await client.tools.call('once', {})))
  assert.deepEqual([before, after, happened], [1, 1, 1])
  assert.equal(JSON.parse(said(await client.tools.call('once', {}))).happened, 2)
})
