import assert from 'node:assert/strict'
import { it } from 'node:test'
import { until } from '../../../../tools/lib/until.ts'
import { soon } from '../../../mcp/test/soon.ts'
import { parseRule } from '../../src/policy/parse-rule.ts'
import type { ServerSpec } from '../../src/servers/server-spec.ts'
import { programSpec, runningHost, textOf } from './running-host.ts'

/** So low that a flood reaches them at once, on a slow machine too. */
const rates = { maxRequestsPerSecond: 5, maxNotificationsPerSecond: 50 }
const requests = ['forms', 'prompts', 'roots', 'pings']
const notifications = ['listings', 'resources', 'logs', 'answers', 'noise']
const kinds = [...requests, ...notifications]
/** Seconds of a rate that pass at once. */
const burstSeconds = 5
/** Lines that fit between two processes: the buffers of the socket, and lines read before the pause. */
const linesBetween = 12_000
const calls = 50

it('a flooding server is read no faster than its limit, and the others are answered meanwhile', async () => {
  const servers = [programSpec('well'), ...kinds.map(flooder)]
  const rule = parseRule('allow', '*:*', { layer: 'user', file: 'trunkline.json', line: 1 })
  await using running = await runningHost({ servers, rules: [rule], unattended: true })
  await using mcp = await running.dial()
  const startedAt = performance.now()
  for (const kind of kinds) assert.equal(textOf(await mcp.tools.call(`${kind}__flood`, {})), 'begun')
  for (const kind of kinds) await soon(throttledOf(kind), `${kind} to be throttled`)
  for (let count = 0; count < calls; count += 1)
    assert.equal(textOf(await mcp.tools.call('well__echo', { text: `${count}` })), `${count}`)
  const seconds = (performance.now() - startedAt) / 1_000
  for (const kind of kinds) {
    const { maxRequestsPerSecond, maxNotificationsPerSecond } = rates
    const perSecond = requests.includes(kind) ? maxRequestsPerSecond : maxNotificationsPerSecond
    const { written, listings } = saidBy(kind)
    assert.ok(
      written <= perSecond * (burstSeconds + seconds) + linesBetween,
      `${kind} wrote ${written} in ${seconds} s`,
    )
    assert.ok(listings <= 1, `${listings} listings of ${kind} at the same time`)
  }
  for (const kind of kinds) {
    const { state, why } = running.host.servers.get(kind)?.status ?? assert.fail()
    assert.equal(state, 'ready')
    assert.match(
      why,
      /^throttled: it sends more than \d+ (?:requests|notifications) a second, so its output is read slowly/,
    )
  }
  const lines = [...running.host.ledger.lines()].map(
    ({ text }) => JSON.parse(text) as { server?: string; outcome?: string },
  )
  const recorded = lines.filter(({ outcome }) => outcome === 'throttled').map(({ server }) => server)
  assert.deepEqual(recorded.toSorted(), kinds.toSorted(), 'one line for each server, and not for each message')

  async function throttledOf(kind: string): Promise<void> {
    await until(() => running.host.servers.get(kind)?.status.throttled !== undefined)
  }

  function saidBy(kind: string): { readonly written: number; readonly listings: number } {
    const said = running.host.servers.get(kind)?.log.lines.findLast(({ text }) => text.startsWith('wrote '))?.text ?? ''
    const [, written, listings] = /^wrote (\d+) listings (\d+)$/.exec(said) ?? []
    return { written: Number(written ?? 0), listings: Number(listings ?? 0) }
  }
})

function flooder(kind: string): ServerSpec {
  const spec = programSpec(kind, 'flooder', rates)
  if (spec.launch.kind !== 'program') throw new Error('It is a program')
  return { ...spec, launch: { ...spec.launch, args: [...spec.launch.args, kind] } }
}
