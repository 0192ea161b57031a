import assert from 'node:assert/strict'
import { test } from 'node:test'
import { connect, server } from '@trunkline/mcp'
import { contract } from '@trunkline/mcp/contract'

const extensions = [contract()] as const
const effects = { writes: ['./dist/**'], network: ['registry.example'], cost: 'one upload' }

test('effects: the declared terms of a tool are listed, and a client without the contract is not harmed', async () => {
  const terms = {
    effects,
    version: '2',
    deprecated: { until: '2027-01-01', instead: 'release' },
    varies: ['network'],
    idempotent: 'by key',
    concurrency: 'serial',
    timeoutMs: 60_000,
  } as const
  const shop = server({ name: 'shop', version: '1.0.0', extensions }).tool('publish', terms, () => 'done')
  await using plain = await connect(shop)
  const [tool] = await plain.tools.list().all()
  assert.deepEqual(tool?._meta?.['dev.trunkline/contract'], terms)
  assert.deepEqual(await plain.tools.call('publish', {}).then(({ content }) => content), [
    { type: 'text', text: 'done' },
  ])
})

for (const [field, value, message] of [
  ['effects', { writes: './dist' }, /"effects" must be an object whose "writes" is a list of texts/],
  ['effects', 'everything', /"effects" must be an object such as/],
  ['varies', ['weather'], /"varies" must be a list of "time", "random", "network", "state"/],
  ['concurrency', { by: [] }, /"concurrency" must be "parallel", "serial" or/],
  ['idempotent', 'sometimes', /"idempotent" must be true, "by key" or "by steps"/],
  ['timeoutMs', -1, /"timeoutMs" must be a number of milliseconds above 0/],
  ['timeoutMs', 1e12, /"timeoutMs" must be a number of milliseconds above 0/],
  ['version', 2, /"version" must be a text/],
  ['preview', 'yes', /"preview" must be a function/],
] as const) {
  test(`effects: a tool with ${field}: ${JSON.stringify(value)} is refused by the name of the member`, () => {
    const shop = server({ name: 'shop', version: '1.0.0', extensions })
    assert.throws(() => shop.tool('publish', { [field]: value } as never, () => ''), message)
  })
}

test('effects: a server without the contract refuses them by name', () => {
  const shop = server({ name: 'shop', version: '1.0.0' })
  assert.throws(() => shop.tool('publish', { effects } as never, () => ''), /"effects"/)
})
