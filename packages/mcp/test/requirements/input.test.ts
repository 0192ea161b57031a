import assert from 'node:assert/strict'
import {
  InvalidParams,
  InvalidRequest,
  MethodNotFound,
  MissingClientCapability,
  RpcError,
  type SamplingRequest,
  type SamplingResult,
} from '../../src/index.ts'
import type { Fields } from '../../src/wire/messages.ts'
import { isStateless, meta } from './harness/dress.ts'
import { answered, questioning } from './harness/question.ts'
import { said } from './harness/said.ts'
import { verifies } from './verifies.ts'

const singing: SamplingResult = { role: 'assistant', model: 'canary', content: { type: 'text', text: 'La la' } }

const needs: { readonly [tool: string]: Fields } = {
  name: { elicitation: { form: {} } },
  visit: { elicitation: { url: {} } },
  sample: { sampling: {} },
  'sample with tools': { sampling: { tools: {} } },
  roots: { roots: {} },
}

verifies('input: undeclared, newly', async ({ raw }) => {
  const end = await raw('asking')
  for (const [name, requiredCapabilities] of Object.entries(needs)) {
    const { code, data } = await end.refusal('tools/call', { name })
    assert.equal(code, MissingClientCapability, name)
    assert.deepEqual(data, { requiredCapabilities })
  }
  const onlyForms = { [meta.clientCapabilities]: { elicitation: {}, sampling: {} } }
  for (const name of ['visit', 'sample with tools']) {
    assert.equal((await end.refusal('tools/call', { name, _meta: onlyForms })).code, MissingClientCapability, name)
  }
  for (const [method, params] of [
    ['prompts/get', { name: 'poem' }],
    ['resources/read', { uri: 'test:letter' }],
  ] as const) {
    assert.equal((await end.refusal(method, params)).code, MissingClientCapability, method)
  }
})

verifies('input: undeclared', async ({ raw }) => {
  const end = await raw('asking')
  for (const [name, needed] of Object.entries(needs)) {
    const result = await end.result('tools/call', { name })
    assert.equal(result.isError, true, name)
    assert.match(JSON.stringify(result.content), new RegExp(Object.keys(needed).join()), name)
  }
  assert.deepEqual(
    end.heard.filter(({ method }) => method !== undefined),
    [],
  )
})

verifies('input: undeclared outside of tools', async ({ raw }) => {
  const end = await raw('asking')
  assert.equal((await end.refusal('prompts/get', { name: 'poem' })).code, InvalidRequest)
  assert.equal((await end.refusal('resources/read', { uri: 'test:letter' })).code, InvalidRequest)
})

verifies('input: unasked for', async (setting) => {
  const client = await setting.play(questioning(setting, 'roots/list', {}))
  await client.tools.call('any', {})
  assert.equal(answered(setting).error?.code, MethodNotFound)
})

verifies('input: malformed answer', async ({ raw, revision }) => {
  const end = await raw('asking', { capabilities: { sampling: {} } })
  const malformed = { role: 'assistant', content: { type: 'text', text: 'La la' } }
  if (isStateless(revision)) {
    const { inputRequests, requestState } = await end.result('tools/call', { name: 'sample' })
    const inputResponses = Object.fromEntries(Object.keys(inputRequests as Fields).map((key) => [key, malformed]))
    const { code, message } = await end.refusal('tools/call', { name: 'sample', inputResponses, requestState })
    assert.equal(code, InvalidParams)
    assert.match(message, /model|inputResponses/)
  } else {
    end.send(end.request('tools/call', { name: 'sample' }, 'call'))
    const { id } = await end.until(({ method }) => method === 'sampling/createMessage')
    end.send({ jsonrpc: '2.0', id, result: malformed })
    const { result } = await end.answer('call')
    assert.equal(result?.isError, true)
    assert.match(JSON.stringify(result), /model/)
  }
})

verifies('sampling: reaches the model', async ({ open }) => {
  const asked: SamplingRequest[] = []
  const client = await open('asking', {
    sampling: (request) => {
      asked.push(request)
      return singing
    },
  })
  assert.equal(said(await client.tools.call('sample', {})), 'La la')
  assert.equal(asked.length, 1)
  const { messages, maxTokens, systemPrompt } = asked[0] ?? {}
  assert.deepEqual(messages, [{ role: 'user', content: { type: 'text', text: 'Sing' } }])
  assert.deepEqual([maxTokens, systemPrompt], [10, 'Loudly'])
})

const refuse = (): never => {
  throw new RpcError(-1, 'User rejected sampling request')
}

verifies('sampling: refusal', async ({ open, sent }) => {
  const client = await open('asking', { sampling: refuse })
  const result = await client.tools.call('sample', {})
  assert.equal(result.isError, true)
  assert.match(said(result), /User rejected/)
  assert.equal(sent().at(-1)?.error?.code, -1)
})

verifies('sampling: refusal ends the call', async ({ open, sent }) => {
  const client = await open('asking', { sampling: refuse })
  await assert.rejects(client.tools.call('sample', {}), /User rejected/)
  assert.equal(sent('tools/call').length, 1)
})

verifies('sampling: one piece of content', async ({ open }) => {
  const asked: SamplingRequest[] = []
  const client = await open('asking', {
    sampling: (request) => {
      asked.push(request)
      return { ...singing, content: [{ type: 'text', text: 'La la' }] }
    },
  })
  assert.equal(said(await client.tools.call('sample several', {})), '{"type":"text","text":"La la"}')
  assert.deepEqual(asked[0]?.messages, [{ role: 'user', content: { type: 'text', text: 'Sing\nDance' } }])
})

verifies('sampling: several pieces of content', async ({ open }) => {
  const asked: SamplingRequest[] = []
  const content = ['La', 'la'].map((text) => ({ type: 'text', text }) as const)
  const client = await open('asking', {
    sampling: (request) => {
      asked.push(request)
      return { ...singing, content }
    },
  })
  assert.deepEqual(JSON.parse(said(await client.tools.call('sample several', {}))), content)
  const words = ['Sing', 'Dance'].map((text) => ({ type: 'text', text }))
  assert.deepEqual(asked[0]?.messages, [{ role: 'user', content: words }])
})

verifies('sampling: tools', async ({ open }) => {
  const use = [{ type: 'tool_use', id: 'u1', name: 'pitch', input: { hertz: 440 } }] as const
  const sample = ({ tools }: SamplingRequest): SamplingResult => {
    assert.deepEqual(tools, [{ name: 'pitch', inputSchema: { type: 'object' } }])
    return { ...singing, content: use, stopReason: 'toolUse' }
  }
  const client = await open('asking', { sampling: { sample, tools: true } })
  assert.deepEqual(JSON.parse(said(await client.tools.call('sample with tools', {}))), use)
})

const messages = [{ role: 'user', content: { type: 'text', text: 'Sing' } }]

verifies('sampling: tools undeclared', async (setting) => {
  const tools = [{ name: 'pitch', inputSchema: { type: 'object' } }]
  const scene = questioning(setting, 'sampling/createMessage', { messages, maxTokens: 10, tools })
  const client = await setting.play(scene, { sampling: () => singing })
  const call = client.tools.call('any', {})
  if (isStateless(setting.revision)) return assert.rejects(call, { code: InvalidParams })
  await call
  assert.equal(answered(setting).error?.code, InvalidParams)
})

verifies('sampling: tool results are balanced', async (setting) => {
  const use = { role: 'assistant', content: [{ type: 'tool_use', id: 'u1', name: 'pitch', input: {} }] }
  const unbalanced = { messages: [...messages, use, ...messages], maxTokens: 10 }
  const scene = questioning(setting, 'sampling/createMessage', unbalanced)
  const client = await setting.play(scene, { sampling: { sample: () => singing, tools: true } })
  const call = client.tools.call('any', {})
  if (isStateless(setting.revision)) return assert.rejects(call, { code: InvalidParams })
  await call
  assert.equal(answered(setting).error?.code, InvalidParams)
})

verifies('sampling: context', async ({ open }) => {
  for (const context of [true, false]) {
    const sample = ({ includeContext }: SamplingRequest): SamplingResult => {
      assert.equal(includeContext, context ? 'thisServer' : undefined)
      return singing
    }
    const client = await open('asking', { sampling: { sample, context } })
    assert.notEqual((await client.tools.call('sample with context', {})).isError, true)
    await client.close()
  }
})

verifies('roots: reach the handler', async ({ open }) => {
  const client = await open('asking', { roots: [{ uri: 'file:///home', name: 'Home' }] })
  const roots = async () => JSON.parse(said(await client.tools.call('roots', {})))
  assert.deepEqual(await roots(), [{ uri: 'file:///home', name: 'Home' }])
  await client.setRoots([])
  assert.deepEqual(await roots(), [])
})

verifies('roots: change is told', async ({ open, sent }) => {
  const client = await open('asking', { roots: [] })
  await client.setRoots([{ uri: 'file:///home' }])
  assert.equal(sent('notifications/roots/list_changed').length, 1)
})

verifies('roots: change is not told', async ({ open, sent }) => {
  const client = await open('asking', { roots: [] })
  const before = sent().length
  await client.setRoots([{ uri: 'file:///home' }])
  assert.equal(sent().length, before)
})
