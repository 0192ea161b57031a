import assert from 'node:assert/strict'
import { test } from 'node:test'
import { connect, server } from '@trunkline/mcp'
import { contract } from '@trunkline/mcp/contract'

const requires = {
  env: ['GITHUB_TOKEN'],
  programs: { git: '>=2.40' },
  network: ['api.github.com'],
  credentials: ['github.com'],
  runtime: { node: '>=20' },
}

test('requirements: a client reads what a server needs in order to work', async () => {
  const shop = server({ name: 'shop', version: '1.0.0', extensions: [contract({ requires })] })
  await using mcp = await connect(shop, { extensions: [contract()] })
  assert.deepEqual(mcp.requires, requires)
})

test('requirements: a server that says nothing of them has none to read', async () => {
  await using mcp = await connect(server({ name: 'shop', version: '1.0.0' }), { extensions: [contract()] })
  assert.equal(mcp.requires, undefined)
})

for (const [given, message] of [
  [{ env: 'TOKEN' }, /"requires.env" must be a list of texts, not a string/],
  [{ files: [''] }, /"requires.files" must be a list of texts/],
  [{ programs: ['git'] }, /"requires.programs" must be an object such as \{ git: ">=2.40" \}, not an array/],
  [{ runtime: { node: 20 } }, /"requires.runtime" must be an object/],
  [{ environment: [] }, /there is no option "requires.environment"/],
  ['git', /"requires" must be an object, not a string/],
] as const)
  test(`requirements: ${JSON.stringify(given)} is refused by the name of the need`, () => {
    assert.throws(() => contract({ requires: given as never }), message)
  })
