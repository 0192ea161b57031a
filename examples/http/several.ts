import assert from 'node:assert/strict'
import { connect } from '@trunkline/mcp'
// region several
import { MemoryEventStore, MemorySessionStore } from '@trunkline/mcp/http'
import { serveHttp } from '@trunkline/mcp/node'
import { clock } from './clock.ts'

// between processes these are your own, on a database that all of them reach
const sessions = { store: new MemorySessionStore(), events: new MemoryEventStore() }
const first = await serveHttp(clock, { sessions })
const second = await serveHttp(clock, { sessions })
// endregion

let { url } = first
const seen = new Set<string | undefined>()
const balanced = (_: string, init: RequestInit & { readonly headers: Record<string, string> }) => {
  if (init.method === 'POST') seen.add(init.headers['mcp-session-id'])
  return fetch(url, init)
}
const mcp = await connect(new URL(url), { revisions: ['2025-11-25'], http: { fetch: balanced } })
await mcp.tools.call('zone', {})
url = second.url
await first.close()
await mcp.tools.call('zone', {})
// the session that it opened, and none before that
assert.equal(seen.size, 2)
await mcp.close()
await second.close()
