/** The same answers sent twice, to the same process or to the next one, have their effects once. */
import assert from 'node:assert/strict'
import { test } from 'node:test'
import { server } from '@trunkline/mcp'
import { toFetch } from '@trunkline/mcp/http'
import { type EffectStore, sqliteStores } from '@trunkline/mcp/sqlite'
import { until } from '../../../../tools/lib/until.ts'
import { quiet } from '../fixtures/quiet.ts'
import { storeFolder } from '../stores/sqlite-folder.ts'
import { messageOf, saidIn } from '../threats/faces.ts'
import { meta, toolCall } from '../threats/messages.ts'

const form = { type: 'object', properties: { name: { type: 'string' } }, required: ['name'] } as const
const canAsk = { ...meta, 'io.modelcontextprotocol/clientCapabilities': { elicitation: {} } }
const answered = { name: { action: 'accept', content: { name: 'Ada' } } }

interface World {
  paid: number
  /** Makes the next payment. */
  pay: () => unknown
}

/** One process of a server that pays after it has asked. */
function shop(effects: EffectStore | undefined, world: World, repeatable = false) {
  const definition = server({ name: 'shop', ...quiet, ...(effects && { effects }) })
  definition.tool('pay', {}, async (_, ctx) => {
    const { name } = await ctx.elicit('Your name?', form, { key: 'name' })
    const pay = async () => {
      world.paid += 1
      await world.pay()
      return world.paid
    }
    return `${name} paid ${await ctx.once('pay', pay, { repeatable })}`
  })
  const handler = toFetch(definition)
  return async (more: object = {}) => {
    const params = { name: 'pay', arguments: {}, ...more, _meta: canAsk }
    const body = JSON.stringify({ jsonrpc: '2.0', id: 1, method: 'tools/call', params })
    const { headers } = toolCall('pay')
    const response = await handler.handle(new Request('http://localhost/mcp', { method: 'POST', headers, body }), {})
    return { text: await response.text() }
  }
}

const carriedOn = async (call: ReturnType<typeof shop>) => {
  const { requestState } = messageOf(await call()).result
  return { requestState, inputResponses: answered }
}

test('effects: answers that are sent again get what came of the effect, from the next process too', async () => {
  using place = storeFolder()
  const world: World = { paid: 0, pay: () => {} }
  let carried = {}
  {
    await using stores = sqliteStores(place.path)
    const call = shop(stores.effects, world)
    carried = await carriedOn(call)
    for (let times = 0; times < 3; times++) assert.equal(saidIn(await call(carried)), 'Ada paid 1')
  }
  await using stores = sqliteStores(place.path)
  assert.equal(saidIn(await shop(stores.effects, world)(carried)), 'Ada paid 1')
  assert.equal(world.paid, 1)
  const call = shop(stores.effects, world)
  assert.equal(saidIn(await call(await carriedOn(call))), 'Ada paid 2')
})

test('effects: without a store answers that are sent again have their effect again', async () => {
  const world: World = { paid: 0, pay: () => {} }
  const call = shop(undefined, world)
  const carried = await carriedOn(call)
  for (const times of [1, 2]) assert.equal(saidIn(await call(carried)), `Ada paid ${times}`)
})

test('effects: one that had begun and is not known to be done is repeated only where its author says so', async () => {
  using place = storeFolder()
  await using stores = sqliteStores(place.path)
  const world: World = { paid: 0, pay: () => new Promise(() => {}) }
  const call = shop(stores.effects, world)
  const carried = await carriedOn(call)
  void call(carried)
  await until(() => world.paid > 0, 'the effect to begin')
  world.pay = () => {}
  assert.deepEqual(messageOf(await call(carried)).error, {
    code: -32603,
    message: 'Cannot continue: step "pay" had begun with an earlier request, and whether it took effect is unknown',
    data: { step: 'pay' },
  })
  assert.equal(world.paid, 1)
  assert.equal(saidIn(await shop(stores.effects, world, true)(carried)), 'Ada paid 2')
})

test('effects: one that failed did not happen and may be tried again, and one that cannot be kept does not begin', async () => {
  using place = storeFolder()
  const stores = sqliteStores(place.path)
  const world: World = { paid: 0, pay: () => Promise.reject(new Error('no money')) }
  const call = shop(stores.effects, world)
  const carried = await carriedOn(call)
  assert.match((await call(carried)).text, /"isError":true/)
  world.pay = () => {}
  assert.equal(saidIn(await call(carried)), 'Ada paid 2')
  const next = await carriedOn(call)
  await stores.close()
  assert.equal(messageOf(await call(next)).error.message, 'Cannot continue: step "pay" cannot be stored')
  assert.equal(world.paid, 2)
})
