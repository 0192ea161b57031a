import assert from 'node:assert/strict'
import { it, mock } from 'node:test'
import { parseRule } from '../../src/policy/parse-rule.ts'
import { programSpec, runningHost, textOf } from '../gateway/running-host.ts'

const day = 24 * 3_600_000
const allow = parseRule('allow', 'one:wait', { layer: 'user', file: 'trunkline.json', line: 1 })

/** Moves the clock on the wall; nothing else is changed. */
function jump(ms: number): void {
  const real = Date.now.bind(Date)
  mock.method(Date, 'now', () => real() + ms)
}

it('a clock that jumps a day ahead and two back loses no call, no question and no line', async (t) => {
  t.after(() => mock.restoreAll())
  await using running = await runningHost({ servers: [programSpec('one')], rules: [allow], ask: { holdMs: 20 } })
  const { host } = running
  await using mcp = await running.dial()
  const waiting = mcp.tools.call('one__wait', { ms: 400 })
  await mcp.tools.call('one__write', { text: 'ask' })
  const [question] = host.inbox.open
  assert.ok(question)
  jump(day)
  assert.equal(textOf(await waiting), 'done')
  assert.equal(textOf(await mcp.tools.call('one__echo', { text: 'ahead' })), 'ahead')
  mock.restoreAll()
  jump(-day)
  assert.equal(textOf(await mcp.tools.call('one__echo', { text: 'back' })), 'back')
  await host.inbox.answer(question.id, { choice: 'once', by: 'terminal' }, { isLocal: true })
  assert.equal(textOf(await mcp.tools.call('one__write', { text: 'ask' })), 'ask')
  assert.equal(host.ledger.verify().broken, undefined)
  assert.equal(host.servers.get('one')?.status.starts, 1)
})
