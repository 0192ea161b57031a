import assert from 'node:assert/strict'
// region serve
import { connect, serve } from '@trunkline/mcp'
import { clock } from './clock.ts'
// endregion

export async function serving(): Promise<void> {
  // region serve
  // a port, or host:port; 0 takes a free one
  await using http = await serve(clock, { http: 0, limits: { maxMessageBytes: 65_536 }, sessions: { idleMs: 600_000 } })
  console.log(`Serving MCP at ${http.url}`)
  // endregion

  // region connect
  for (const revision of ['2026-07-28', '2025-06-18']) {
    await using mcp = await connect(new URL(http.url), { revisions: [revision] })
    const { content } = await mcp.tools.call('zone', {})
    console.log(mcp.revision, content)
  }
  // endregion

  const url = new URL(http.url)
  // region url
  await using clocks = await connect(url, {
    http: { headers: { 'x-team': 'clocks' } },
    limits: { maxMessageBytes: 1_048_576 },
  })
  // endregion
  assert.equal(clocks.revision, '2026-07-28')

  assert.equal(await (await fetch(new URL('/healthz', http.url))).text(), 'ok\n')
}
