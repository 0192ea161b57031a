import assert from 'node:assert/strict'
import { type ChildProcess, fork } from 'node:child_process'
import { once } from 'node:events'
import { it } from 'node:test'
import { fileURLToPath } from 'node:url'
import { connect } from '@trunkline/mcp'
import { until } from '../../../../tools/lib/until.ts'
import { hostile, type Weight } from '../../../host/test/limits/flooded-host.ts'
import { temporaryFolder } from '../../../host/test/temporary-folder.ts'
import { hostNodeFlags } from '../../src/service/host-flags.ts'

/** Megabytes: 14 to 15 were measured, most of them the 5 000 tools of one of the servers. */
const mayBeKept = 30

it('17 hostile servers: when they are stopped the host keeps little more than before them, and the pages of the engine can be given back', async (context) => {
  using folder = temporaryFolder()
  const program = fileURLToPath(new URL('../../../host/test/limits/flooded-host.ts', import.meta.url))
  const child = fork(program, [folder.path], { execArgv: [...hostNodeFlags, '--expose-gc'] })
  const [{ place }] = await once(child, 'message')
  const headers = { authorization: `Bearer ${place.token}` }
  await using mcp = await connect(new URL(place.url), { http: { headers } })
  const callWell = async (times: number) => {
    for (let at = 0; at < times; at += 1) await mcp.tools.call('well__echo', { text: `${at}` })
  }
  await callWell(200)
  const before = await order<Weight>(child, 'weigh')
  await order(child, 'begin')
  const over = new AbortController()
  const calls = Object.entries(hostile).map(([name, tool]) =>
    mcp.tools.call(`${name}__${tool}`, {}, { signal: over.signal }).catch(() => {}),
  )
  await until(async () => (await order<number>(child, 'throttled')) >= 9, 'nine servers to be throttled')
  await callWell(20)
  const during = await order<Weight>(child, 'weigh')
  over.abort()
  await Promise.all(calls)
  await order(child, 'stop')
  const after = await order<Weight>(child, 'weigh')
  const released = await order<Weight>(child, 'release')
  for (const [when, { rss, kept }] of Object.entries({ before, during, after, released }))
    context.diagnostic(`${when}: ${rss.toFixed(0)} MB, of which the host keeps ${kept.toFixed(0)}`)
  assert.ok(after.kept - before.kept < mayBeKept, `${after.kept} MB are kept, and ${before.kept} were before`)
  assert.ok(released.rss < after.rss, `${released.rss} MB after the pages were given back, ${after.rss} before`)
  const exited = once(child, 'exit')
  child.disconnect()
  await exited
})

async function order<Answer>(child: ChildProcess, name: string): Promise<Answer> {
  child.send(name)
  const [answer] = await once(child, 'message')
  return answer[name]
}
