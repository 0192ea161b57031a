import assert from 'node:assert/strict'
import { describe, it } from 'node:test'
import { queryLedger } from '../../src/ledger/query.ts'
import { parseRule } from '../../src/policy/parse-rule.ts'
import { programSpec, runningHost, textOf } from '../gateway/running-host.ts'

const source = { layer: 'user', file: 'trunkline.json', line: 1 }

describe('calls of tools that do not exist', () => {
  it('are limited for each principal, seen in the ledger, and asked about by no rule', async () => {
    const ask = parseRule('ask', '*:*', source)
    await using running = await runningHost({ servers: [programSpec('one')], rules: [ask] })
    running.host.maxCallsPerMinute = 5
    await using mcp = await running.dial()
    for (let at = 0; at < 5; at += 1) await assert.rejects(mcp.tools.call(`made-up-${at}`, {}), /no such tool here/)
    const result = await mcp.tools.call('made-up-5', {})
    assert.match(textOf(result), /Too many calls of "editor": 5 in a minute/)
    assert.deepEqual(running.host.inbox.open, [])
    const lines = queryLedger(running.host.store, { principal: 'editor' }).map(({ line }) => [
      line.target,
      line.outcome,
    ])
    assert.deepEqual(lines.slice(0, 2), [
      ['made-up-5', 'limited'],
      ['made-up-4', 'unknown tool'],
    ])
    assert.equal(lines.length, 6)
    await using other = await running.dial('', { name: 'other' })
    await assert.rejects(other.tools.call('made-up', {}), /no such tool here/)
  })

  it('become no task, also for a caller that wants one', async () => {
    const { tasks } = await import('@trunkline/mcp/tasks')
    await using running = await runningHost({ servers: [programSpec('one')] })
    await using mcp = await running.dial('', { extensions: [tasks()], revisions: ['2025-11-25'] })
    const request = mcp.request('tools/call', { name: 'made-up', arguments: {}, task: { ttl: 1_000 } })
    await assert.rejects(request, /no such tool here/)
  })
})
