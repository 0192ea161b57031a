import assert from 'node:assert/strict'
import { it } from 'node:test'
import { acceptServer, apiOf, clientOf } from '../../../cli/test/host/host-api.ts'
import { type HostHome, hostHome, upstreamEntry } from '../../../cli/test/host/host-home.ts'

async function record(at: HostHome, name: string, text: string): Promise<void> {
  await using mcp = await clientOf(apiOf(at), name)
  assert.ok(!(await mcp.tools.call('upstream__write', { text })).isError)
}

async function found(at: HostHome, search: string): Promise<number> {
  return (await apiOf(at).call('acts', { search })).items.length
}

it('a store goes to an older Node and back: nothing is lost, and what was forgotten there is not found here', async () => {
  await using at = hostHome()
  at.configure({ mcpServers: { upstream: upstreamEntry }, policy: { allow: ['upstream:*'] } })
  await at.upOn(process.execPath)
  await acceptServer(apiOf(at), 'upstream')
  await record(at, 'newer', 'hedgehog')
  assert.ok((await found(at, 'hedgehog')) > 0)
  assert.equal((await at.run('down')).exit, 0)

  await at.up()
  await apiOf(at).call('forget', { server: 'upstream' })
  await record(at, 'older', 'badger')
  // its SQLite may be one that searches no words, and says so
  await found(at, 'badger').then(
    (count) => assert.ok(count > 0),
    (error: Error) => assert.match(error.message, /full-text search.*Node 22\.16/),
  )
  assert.equal((await at.run('down')).exit, 0)

  await at.upOn(process.execPath)
  assert.equal(await found(at, 'hedgehog'), 0)
  assert.ok((await found(at, 'badger')) > 0)
  assert.equal((await apiOf(at).call('verify')).broken, undefined)
})
