import assert from 'node:assert/strict'
import { InvalidParams } from '../../src/index.ts'
import type { Fields } from '../../src/wire/messages.ts'
import type { RawEnd } from './harness/raw-end.ts'
import { verifies } from './verifies.ts'

const capabilities = { elicitation: {} }
const greet = { name: 'greet', arguments: { name: 'Ada' } }

/** Params that a client would bring back to a call that asked for a title. */
async function answered(end: RawEnd, call: Fields = greet) {
  const { inputRequests, requestState } = await end.result('tools/call', call)
  const [key = ''] = Object.keys(inputRequests as Fields)
  const inputResponses = { [key]: { action: 'accept', content: { title: 'Countess', name: 'Ada' } } }
  return { inputResponses, requestState: requestState as string }
}

/** Fails unless the state that is brought back is refused. */
async function assertRefused(end: RawEnd, params: Fields, method = 'tools/call'): Promise<void> {
  const { code, message } = await end.refusal(method, params)
  assert.equal(code, InvalidParams)
  assert.match(message, /"requestState"/)
}

verifies('state: is sealed', async ({ raw }) => {
  const end = await raw('asking', { capabilities: { sampling: {} } })
  const { requestState, inputRequests } = await end.result('tools/call', { name: 'in turn' })
  const [key = ''] = Object.keys(inputRequests as Fields)
  const content = { type: 'text', text: 'a secret answer' }
  const inputResponses = { [key]: { role: 'assistant', model: 'raw', content } }
  const next = await end.result('tools/call', { name: 'in turn', inputResponses, requestState })
  for (const state of [requestState, next.requestState]) {
    const text = String(state)
    const bytes = Buffer.from(text.slice(text.indexOf('.') + 1), 'base64url').toString('latin1')
    assert.doesNotMatch(text + bytes, /secret|sampling|in turn/)
  }
})

verifies('state: tampered with', async ({ raw }) => {
  const end = await raw('asking', { capabilities })
  const { requestState, inputResponses } = await answered(end)
  for (let at = 0; at < requestState.length; at += 7) {
    const flipped = requestState[at] === 'A' ? 'B' : 'A'
    const tampered = requestState.slice(0, at) + flipped + requestState.slice(at + 1)
    await assertRefused(end, { ...greet, inputResponses, requestState: tampered })
  }
  for (const cut of [requestState.slice(0, -1), requestState.slice(1), `${requestState}A`]) {
    await assertRefused(end, { ...greet, inputResponses, requestState: cut })
  }
  const { content } = await end.result('tools/call', { ...greet, inputResponses, requestState })
  assert.deepEqual(content, [{ type: 'text', text: 'Hello, Countess Ada' }])
})

verifies('state: other arguments', async ({ raw }) => {
  const end = await raw('asking', { capabilities })
  const back = await answered(end)
  for (const given of [{ name: 'Eve' }, { name: 'Ada', more: true }]) {
    await assertRefused(end, { name: 'greet', arguments: given, ...back })
  }
})

verifies('state: other tool', async ({ raw }) => {
  const end = await raw('asking', { capabilities })
  await assertRefused(end, { ...greet, name: 'rename', ...(await answered(end)) })
})

verifies('state: other method', async ({ raw }) => {
  const end = await raw('asking', { capabilities })
  const back = await answered(end, { name: 'name' })
  await assertRefused(end, { name: 'poem', ...back }, 'prompts/get')
  await assertRefused(end, { uri: 'test:letter', ...back }, 'resources/read')
})

verifies('state: other server', async ({ raw }) => {
  const here = await raw('asking', { capabilities })
  const there = await raw('asking-too', { capabilities })
  await assertRefused(there, { ...greet, ...(await answered(here)) })
})

verifies('state: expired', async ({ raw }) => {
  const end = await raw('hasty', { capabilities })
  const call = { name: 'name' }
  const { code, message } = await end.refusal('tools/call', { ...call, ...(await answered(end, call)) })
  assert.equal(code, InvalidParams)
  assert.match(message, /expired/)
})

verifies('state: foreign caller', async ({ raw }) => {
  const ada = await raw('asking', { capabilities, principal: 'ada' })
  const eve = await raw('asking', { capabilities, principal: 'eve' })
  const nobody = await raw('asking', { capabilities })
  const back = await answered(ada)
  await assertRefused(eve, { ...greet, ...back })
  await assertRefused(nobody, { ...greet, ...back })
  await ada.result('tools/call', { ...greet, ...back })
})

verifies('state: made up', async ({ raw }) => {
  const end = await raw('asking', { capabilities })
  for (const requestState of ['', 'v1.', 'made up', 'v1.AAAA', '{"round":1}', 'x'.repeat(100_000)]) {
    await assertRefused(end, { ...greet, requestState })
  }
  assert.equal((await end.refusal('tools/call', { ...greet, requestState: 7 })).code, InvalidParams)
})
