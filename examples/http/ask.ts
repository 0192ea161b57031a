import assert from 'node:assert/strict'
import { type ConnectOptions, connect } from '@trunkline/mcp'

type Http = ConnectOptions['http']

/** Asks the clock at an address in two revisions, and checks whom it thinks it is talking to. */
export async function ask(url: `http${string}`, caller: string, http: Http = {}): Promise<void> {
  for (const revision of ['2026-07-28', '2025-11-25']) {
    const content = await answer(url, { revisions: [revision], http })
    assert.deepEqual(content, [{ type: 'text', text: `UTC, for ${caller}` }])
  }
}

async function answer(url: `http${string}`, options: ConnectOptions): Promise<unknown> {
  await using mcp = await connect(url, options)
  return (await mcp.tools.call('zone', {})).content
}
