import assert from 'node:assert/strict'
import { test } from 'node:test'
import { connect, type Server, type ServerTypes, server } from '@trunkline/mcp'
import { tasks } from '@trunkline/mcp/tasks'

const numeric = { type: 'object', properties: { n: { type: 'number' } }, required: ['n'] } as const

const shop = server({ name: 'shop', version: '1.0.0' })
  .tool('price', { input: numeric, output: numeric }, ({ n }) => ({ n }))
  .prompt('greet', { arguments: [{ name: 'who', required: true }] }, ({ who }) => `Hello ${who}`)

test('mount: a client knows the tools of a mounted server by their prefixed names, with their types', async () => {
  const mall = server({ name: 'mall', version: '1.0.0' })
    .mount('shop', shop)
    .tool('open', {}, () => 'yes')
  await using client = await connect<typeof mall>(mall)
  const { structuredContent } = await client.tools.call('shop_price', { n: 3 })
  const price: number | undefined = structuredContent?.n
  assert.equal(price, 3)
  await client.tools.call('open', {})
  // @ts-expect-error the price is asked for by a number
  await client.tools.call('shop_price', { n: 'three' })
  // @ts-expect-error without its prefix it is not there
  await assert.rejects(client.tools.call('price', { n: 3 }))
  await client.prompts.get('shop_greet', { who: 'you' })
  // @ts-expect-error without its prefix it is not there
  await assert.rejects(client.prompts.get('greet', { who: 'you' }))
})

test('mount: prefixes add up, and extensions of the mounted server do not matter', async () => {
  const extended = server({ name: 'shop', version: '1.0.0', extensions: [tasks()] }).tool('price', {}, () => '3')
  const mall = server({ name: 'mall', version: '1.0.0' }).mount('shop', extended)
  const town = server({ name: 'town', version: '1.0.0' }).mount('mall', mall)
  await using client = await connect<typeof town>(town)
  const { content } = await client.tools.call('mall_shop_price', {})
  assert.deepEqual(content, [{ type: 'text', text: '3' }])
})

test('mount: of a server whose tools are not known, any name behind the prefix is taken', async () => {
  const anything = shop as unknown as Server<ServerTypes>
  const mall = server({ name: 'mall', version: '1.0.0' }).mount('shop', anything)
  await using client = await connect<typeof mall>(mall)
  await client.tools.call('shop_price', { n: 3 })
  // @ts-expect-error only what is behind the prefix
  await assert.rejects(client.tools.call('price', { n: 3 }))
})
