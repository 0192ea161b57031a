import assert from 'node:assert/strict'
import { test } from 'node:test'
import { connect, server } from '@trunkline/mcp'
import { contract } from '@trunkline/mcp/contract'

const requires = { env: ['GITHUB_TOKEN'], programs: { git: '>=2.40' }, network: ['api.github.com'] }

test('requirements: a client reads what a server needs in order to work', async () => {
  const shop = server({ name: 'shop', version: '1.0.0', extensions: [contract({ requires })] })
  await using mcp = await connect(shop, { extensions: [contract()] })
  assert.deepEqual(mcp.requires, requires)
})

test('requirements: a server that says nothing of them has none to read', async () => {
  await using mcp = await connect(server({ name: 'shop', version: '1.0.0' }), { extensions: [contract()] })
  assert.equal(mcp.requires, undefined)
})
