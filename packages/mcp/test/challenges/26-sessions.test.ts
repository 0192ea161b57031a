import assert from 'node:assert/strict'
import { after, before, suite, test } from 'node:test'
import { server } from '@trunkline/mcp'
import { serveHttp } from '@trunkline/mcp/node'

const handshakes = ['2025-11-25', '2025-06-18', '2025-03-26'] as const
const json = { 'content-type': 'application/json', accept: 'application/json, text/event-stream' }
const list = JSON.stringify({ jsonrpc: '2.0', id: 1, method: 'tools/list', params: {} })

suite('sessions', () => {
  let http: Awaited<ReturnType<typeof serveHttp>>
  before(async () => {
    http = await serveHttp(server({ name: 'shop', version: '1.0.0' }).tool('hi', {}, () => 'hi'))
  })
  after(() => http?.close())

  const post = (body: string, headers: Record<string, string> = {}) =>
    fetch(http.url, { method: 'POST', headers: { ...json, ...headers }, body })

  /** Opens a session by hand, and gives back the headers that name it. */
  async function opened(revision: string): Promise<Record<string, string>> {
    const params = { protocolVersion: revision, capabilities: {}, clientInfo: { name: 'raw', version: '1' } }
    const response = await post(JSON.stringify({ jsonrpc: '2.0', id: 0, method: 'initialize', params }))
    await response.text()
    const id = response.headers.get('mcp-session-id') ?? ''
    assert.match(id, /^[\x21-\x7e]{16,}$/)
    const headers = { 'mcp-session-id': id, ...(revision >= '2025-06-18' && { 'mcp-protocol-version': revision }) }
    await post(JSON.stringify({ jsonrpc: '2.0', method: 'notifications/initialized' }), headers)
    return headers
  }

  const statusOf = async (headers: Record<string, string>) => {
    const response = await post(list, headers)
    await response.text()
    return response.status
  }

  for (const revision of handshakes) {
    test(`${revision}: a session is opened, used and ended, and others are not touched by that`, async () => {
      const [own, other] = [await opened(revision), await opened(revision)]
      assert.notEqual(own['mcp-session-id'], other['mcp-session-id'])
      assert.deepEqual([await statusOf(own), await statusOf(other)], [200, 200])
      const ended = await fetch(http.url, { method: 'DELETE', headers: own })
      assert.ok(ended.status === 200 || ended.status === 204, String(ended.status))
      assert.deepEqual([await statusOf(own), await statusOf(other)], [404, 200])
      assert.equal(await statusOf({ ...own, 'mcp-session-id': 'made-up' }), 404)
    })
  }

  test('2026-07-28: there are none', async () => {
    const meta = {
      'io.modelcontextprotocol/protocolVersion': '2026-07-28',
      'io.modelcontextprotocol/clientCapabilities': {},
    }
    const headers = { 'mcp-protocol-version': '2026-07-28', 'mcp-method': 'tools/list' }
    const body = JSON.stringify({ jsonrpc: '2.0', id: 1, method: 'tools/list', params: { _meta: meta } })
    const response = await post(body, headers)
    assert.deepEqual([response.status, response.headers.get('mcp-session-id')], [200, null])
    assert.match(await response.text(), /"name":"hi"/)
  })
})
