/** HTTP+SSE in a cluster: the id of a session names its process, and messages find it. */
import assert from 'node:assert/strict'
import { test } from 'node:test'
import '../no-leaks.ts'
import { server } from '@trunkline/mcp'
import { memoryCluster, toFetch } from '@trunkline/mcp/http'
import { quiet } from '../fixtures/quiet.ts'
import { Mailbox } from '../mailbox.ts'

test('cluster: a message of an HTTP+SSE session that reaches another process goes to the one with the stream', async () => {
  const cluster = memoryCluster()
  const make = (at: number) => server({ name: 'weather', ...quiet }).tool('where', {}, () => `at ${at}`)
  const [one, other] = [0, 1].map((at) => toFetch(make(at), { cluster, sse: true, drainMs: 1 })) as [Handler, Handler]
  const lines = new Mailbox<string>()
  const leaving = new AbortController()
  const open = new Request('http://localhost/sse', { headers: { accept: 'text/event-stream' }, signal: leaving.signal })
  void readLines(await one(open), lines)
  const path = (await lines.take()).replace('data: ', '')
  const post = async (message: object): Promise<number> => {
    const headers = { 'content-type': 'application/json' }
    const request = new Request(`http://localhost${path}`, { method: 'POST', headers, body: JSON.stringify(message) })
    return (await other(request)).status
  }
  const params = { protocolVersion: '2024-11-05', capabilities: {}, clientInfo: { name: 'raw', version: '1' } }
  assert.equal(await post({ jsonrpc: '2.0', id: 1, method: 'initialize', params }), 202)
  assert.match(await lines.take(), /"id":1,"result"/)
  assert.equal(await post({ jsonrpc: '2.0', id: 2, method: 'tools/call', params: { name: 'where' } }), 202)
  assert.match(await lines.take(), /at 0/)
  leaving.abort()
  await one.close()
  assert.equal(await post({ jsonrpc: '2.0', id: 3, method: 'ping' }), 404)
  await other.close()
})

type Handler = ReturnType<typeof toFetch>

async function readLines(response: Response, lines: Mailbox<string>): Promise<void> {
  try {
    for await (const chunk of response.body?.pipeThrough(new TextDecoderStream()) ?? [])
      for (const line of chunk.split('\n')) if (line.startsWith('data: ')) lines.put(line)
  } catch {
    // the client has left
  }
}
