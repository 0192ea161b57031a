import assert from 'node:assert/strict'
import { it } from 'node:test'
import { until } from '../../../../tools/lib/until.ts'
import { upstreamEntry } from '../../../cli/test/host/host-home.ts'
import { acceptServer, killableHome } from './killable.ts'

it('after a kill the ledger is whole: a write had begun, a read under way left no line, and a line tells of the kill', async () => {
  await using home = killableHome()
  home.at.configure({ mcpServers: { upstream: upstreamEntry }, policy: { allow: ['upstream:*'] } })
  const first = await home.start()
  await acceptServer(first.api, 'upstream')
  await first.api.call('changeEntry', { server: 'upstream', tool: 'wait', class: 'reads' })
  const { token } = await first.api.call('addClient', { name: 'editor' })
  await using mcp = await first.dial(token)
  const reading = mcp.tools.call('upstream__wait', { ms: 3_600_000 })
  reading.catch(() => {})
  const inFlight = async () => (await first.api.call('servers')).items.some(({ calls }) => calls > 0)
  await until(inFlight, 'the call to be under way')
  mcp.tools.call('upstream__write', { text: 'a' }).catch(() => {})
  const lines = async (target: string) => (await first.api.call('ledger', { target })).items
  await until(async () => (await lines('write')).length > 0)
  await first.kill()
  const next = await home.start()
  const { broken, lines: count, signedUpTo } = await next.api.call('verify')
  assert.equal(broken, undefined)
  assert.ok(signedUpTo > 0 && signedUpTo <= count)
  const { items } = await next.api.call('ledger', { outcome: 'killed' })
  assert.match(items[0]?.line.why ?? '', /reads that were under way left no line/)
  const read = (await next.api.call('ledger', { target: 'wait' })).items
  assert.deepEqual(
    read.filter(({ line }) => line.act !== undefined),
    [],
  )
  const written = (await next.api.call('ledger', { target: 'write' })).items
  assert.ok(written.some(({ line }) => line.kind === 'began'))
})
