import assert from 'node:assert/strict'
import { test } from 'node:test'
import { connect, server } from '@trunkline/mcp'
import { contract } from '@trunkline/mcp/contract'
import { revisions } from './revisions.ts'

const updates = { by: 'itself', from: 'npm:my-server', off: { MY_SERVER_UPDATES: 'off' } } as const

for (const revision of revisions)
  test(`self-update [${revision}]: a client reads how a server becomes a newer one, and how to keep it as it is`, async () => {
    const shop = server({ name: 'shop', version: '1.0.0', extensions: [contract({ updates })] })
    await using mcp = await connect(shop, { extensions: [contract()], revisions: [revision] })
    assert.deepEqual([mcp.updates, mcp.requires], [updates, undefined])
    await using silent = await connect(server({ name: 'shop', version: '1.0.0' }), { extensions: [contract()] })
    assert.equal(silent.updates, undefined)
  })

for (const [given, message] of [
  ['itself', /"updates" must be an object, not a string/],
  [{}, /"updates.by" must be "host" or "itself", not undefined/],
  [{ by: 'npm' }, /"updates.by" must be "host" or "itself", not "npm"/],
  [{ by: 'host', form: 'x' }, /there is no option "updates.form"; did you mean "from"/],
  [{ by: 'host', from: '' }, /"updates.from" must be a text such as "npm:my-server"/],
  [{ by: 'itself', off: 'NO_UPDATE' }, /"updates.off" must be an object such as/],
  [{ by: 'itself', off: { 'NO UPDATE': '1' } }, /"updates.off" must be an object such as/],
  [{ by: 'host', off: { NO_UPDATE: '1' } }, /"updates.off" is for a program that updates "itself"/],
] as const)
  test(`self-update: ${JSON.stringify(given)} is refused by the name of the member`, () => {
    assert.throws(() => contract({ updates: given as never }), message)
  })
