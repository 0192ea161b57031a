/** Sealed state that clients carry: of no use to other callers, for other calls, or when it was altered. */
import assert from 'node:assert/strict'
import { test } from 'node:test'
import { InvalidParams, server } from '@trunkline/mcp'
import { toFetch } from '@trunkline/mcp/http'
import { quiet } from '../fixtures/quiet.ts'
import { messageOf, saidIn } from './faces.ts'
import { meta, toolCall } from './messages.ts'

const form = { type: 'object', properties: { name: { type: 'string' } }, required: ['name'] } as const
const canAsk = { ...meta, 'io.modelcontextprotocol/clientCapabilities': { elicitation: {} } }
const answer = { name: { action: 'accept', content: { name: 'Ada' } } }

function asking(keys: readonly string[] = quiet.keys) {
  let paid = 0
  const definition = server({ name: 'asking', ...quiet, keys })
  for (const tool of ['pay', 'other']) {
    definition.tool(tool, {}, async (_, ctx) => {
      await ctx.once('pay', () => ++paid)
      const { name } = await ctx.elicit('Your name?', form, { key: 'name' })
      return `${name} paid ${paid}`
    })
  }
  const handler = toFetch(definition)
  return async (principal: string, more: object = {}, { tool = 'pay', args = {} } = {}) => {
    const params = { name: tool, arguments: args, ...more, _meta: canAsk }
    const { headers } = toolCall(tool)
    const body = JSON.stringify({ jsonrpc: '2.0', id: 1, method: 'tools/call', params })
    const response = await handler.handle(new Request('http://localhost/mcp', { method: 'POST', headers, body }), {
      principal,
    })
    return { text: await response.text() }
  }
}

const stateOf = (text: { text: string }): string => messageOf(text).result.requestState

test('requestState: the caller that asked can go on, on any node that has the key', async () => {
  const [here, there] = [asking(), asking()]
  const requestState = stateOf(await here('alice'))
  assert.equal(saidIn(await there('alice', { requestState, inputResponses: answer })), 'Ada paid 0')
})

test('requestState: other callers cannot, nor can another call, nor any after the key is gone', async () => {
  const call = asking()
  const requestState = stateOf(await call('alice', {}, { args: { amount: 1 } }))
  const resumed = { requestState, inputResponses: answer }
  const stolen = [
    await call('mallory', resumed, { args: { amount: 1 } }),
    await call('alice', resumed, { args: { amount: 2 } }),
    await call('alice', resumed, { tool: 'other', args: { amount: 1 } }),
    await asking(['another key, of thirty-two characters and more'])('alice', resumed, { args: { amount: 1 } }),
  ]
  for (const refusal of stolen) assert.equal(messageOf(refusal).error.code, InvalidParams)
  assert.equal(saidIn(await call('alice', resumed, { args: { amount: 1 } })), 'Ada paid 1')
})

test('requestState: touched anywhere, or not what it was at all, it is worth nothing', async () => {
  const call = asking()
  const state = stateOf(await call('alice'))
  const touched = Array.from(state, (character, at) => {
    const other = character === 'A' ? 'B' : 'A'
    return state.slice(0, at) + other + state.slice(at + 1)
  })
  const other = [
    '',
    ' ',
    state.slice(1),
    state.slice(0, -1),
    `${state}A`,
    state + state,
    'x'.repeat(1_000_000),
    '__proto__',
  ]
  for (const requestState of [...touched, ...other]) {
    const refusal = await call('alice', { requestState, inputResponses: answer })
    assert.equal(messageOf(refusal).error?.code, InvalidParams, requestState.slice(0, 200))
  }
})
