import assert from 'node:assert/strict'
// region client
import { connect, McpError, RpcError } from '@trunkline/mcp'
import type { counter } from './counter.ts'

/** Counts for some time, in one session: a lost session or answer, or a wrong number, is an error. */
export async function count(url: `http:${string}`, ms: number) {
  await using mcp = await connect<typeof counter>(url, {
    // sessions are of the revisions before 2026-07-28, which has none to lose
    revisions: ['2025-11-25'],
    elicitation: () => ({ action: 'accept', content: { sure: true } }),
    http: { onSessionLost: 'close' },
    timeoutMs: 15_000,
  })
  const start = performance.now()
  let number = 0
  let unknown = 0
  let longestMs = 0
  while (performance.now() - start < ms) {
    const asked = performance.now()
    try {
      const { structuredContent } = await mcp.tools.call('next', { number })
      assert.equal(structuredContent?.number, number + 1)
      number += 1
    } catch (error) {
      // what a killed process had begun may have happened: only the client can say that asking again does no harm
      if (!isUnknown(error)) throw error
      unknown += 1
    }
    longestMs = Math.max(longestMs, performance.now() - asked)
  }
  return { number, unknown, longestMs }
}

/** True if the outcome of a call is not known; a call without any answer in time is lost. */
function isUnknown(error: unknown): boolean {
  if (error instanceof McpError) return error.outcome === 'Unknown' && error.code !== 'Timeout'
  return error instanceof RpcError && /outcome is unknown/.test(error.message)
}
// endregion
