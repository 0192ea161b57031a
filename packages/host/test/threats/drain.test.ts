import assert from 'node:assert/strict'
import { it } from 'node:test'
import { until } from '../../../../tools/lib/until.ts'
import { parseRule } from '../../src/policy/parse-rule.ts'
import { programSpec, runningHost, textOf } from '../gateway/running-host.ts'

const rules = [parseRule('allow', '*:*', { layer: 'user', file: 'trunkline.json', line: 1 })]

for (const revision of ['2025-11-25', '2026-07-28']) {
  it(`calls under way are answered when the host ends, and new ones are refused (${revision})`, async () => {
    await using running = await runningHost({ servers: [programSpec('one')], rules, drainMs: 60_000 })
    await using mcp = await running.dial('', { revisions: [revision] })
    const calls = Array.from({ length: 20 }, () => mcp.tools.call('one__wait', { ms: 3_000 }))
    // the first must not be over before the last has begun, on a busy machine either
    await until(() => running.host.calls.size >= 20, 'twenty calls under way')
    const closing = running.host.close()
    await assert.rejects(mcp.tools.call('one__echo', { text: 'late' }), /shutting down/)
    for (const result of await Promise.all(calls)) assert.equal(textOf(result), 'done')
    await closing
  })
}

it('a call that does not end is broken off after a while, and recorded as one whose outcome is unknown', async () => {
  await using running = await runningHost({ servers: [programSpec('one')], rules, drainMs: 50 })
  await using mcp = await running.dial()
  const call = mcp.tools.call('one__wait', { ms: 60_000 })
  const said = call.then(textOf, (error: Error) => error.message)
  const outcomes: (string | undefined)[] = []
  running.host.ledger.onLine(({ line }) => line.act && outcomes.push(line.outcome ?? line.kind))
  await until(() => outcomes.length > 0)
  await running.host.close()
  assert.match(await said, /shutting down|cancel|closed/)
  assert.deepEqual(outcomes, ['began', 'unknown'])
})

for (const revision of ['2025-11-25', '2026-07-28']) {
  it(`a call whose caller leaves while the host ends is recorded as one whose outcome is unknown (${revision})`, async () => {
    await using running = await runningHost({ servers: [programSpec('one')], rules, drainMs: 60_000 })
    const mcp = await running.dial('', { revisions: [revision] })
    const call = mcp.tools.call('one__wait', { ms: 60_000 })
    call.catch(() => {})
    const outcomes: (string | undefined)[] = []
    running.host.ledger.onLine(({ line }) => line.act && outcomes.push(line.outcome ?? line.kind))
    await until(() => outcomes.length > 0)
    const closing = running.host.close()
    await mcp.close()
    await closing
    assert.deepEqual(outcomes, ['began', 'unknown'])
  })
}
