import assert from 'node:assert/strict'
import { type ChildProcess, fork } from 'node:child_process'
import { once } from 'node:events'
import { readFileSync } from 'node:fs'
import { it } from 'node:test'
import { fileURLToPath } from 'node:url'
import { connect } from '@trunkline/mcp'
import { until } from '../../../../tools/lib/until.ts'
import { hostile, type Weight } from '../../../host/test/limits/hostile-servers.ts'
import { temporaryFolder } from '../../../host/test/temporary-folder.ts'
import { hostNodeFlags, hostVariables } from '../../src/service/host-flags.ts'

/** Megabytes: 14 to 15 were measured, most of them the 5 000 tools of one of the servers. */
const mayBeKept = 30
/** Megabytes: 15 to 23 were measured, most of them the tools as well. */
const mayStayResident = 60
const isLinux = process.platform === 'linux'

it('17 hostile servers: when they are stopped the host keeps little more than before them, and gives back the rest when it is idle', async (context) => {
  using folder = temporaryFolder()
  const program = fileURLToPath(new URL('../../../host/test/limits/flooded-host.ts', import.meta.url))
  const child = fork(program, [folder.path], {
    execArgv: [...hostNodeFlags, '--expose-gc', '--import', new URL('release-on-order.ts', import.meta.url).href],
    env: { ...process.env, ...hostVariables },
  })
  // a test that fails leaves nothing behind
  using _ending = { [Symbol.dispose]: () => child.kill('SIGKILL') }
  const [{ place }] = await once(child, 'message')
  const headers = { authorization: `Bearer ${place.token}` }
  await using mcp = await connect(new URL(place.url), { http: { headers } })
  const callWell = async (times: number) => {
    for (let at = 0; at < times; at += 1) await mcp.tools.call('well__echo', { text: `${at}` })
  }
  await callWell(200)
  const before = await order<Weight>(child, 'weigh')
  await order(child, 'release')
  await order(child, 'begin')
  const over = new AbortController()
  const calls = Object.entries(hostile).map(([name, tool]) =>
    mcp.tools.call(`${name}__${tool}`, {}, { signal: over.signal }).catch(() => {}),
  )
  await until(async () => (await order<number>(child, 'throttled')) >= 9, 'nine servers to be throttled')
  await callWell(20)
  // not weighed: to collect while they flood takes longer than all else
  if (isLinux) context.diagnostic(`during: ${residentMb(child.pid).toFixed(0)} MB`)
  over.abort()
  await Promise.all(calls)
  await order(child, 'stop')
  const after = await order<Weight>(child, 'weigh')
  assert.ok(after.kept - before.kept < mayBeKept, `${after.kept} MB are kept, and ${before.kept} were before`)
  const isGivenBack = () => residentMb(child.pid) - before.rss < mayStayResident
  // elsewhere another allocator decides
  if (isLinux) await until(isGivenBack, `fewer than ${before.rss + mayStayResident} MB`)
  const released = await order<Weight>(child, 'weigh')
  for (const [when, { rss, kept }] of Object.entries({ before, after, released }))
    context.diagnostic(`${when}: ${rss.toFixed(0)} MB, of which the host keeps ${kept.toFixed(0)}`)
  const exited = once(child, 'exit')
  child.disconnect()
  await exited
})

/** Resident memory as the system reports it: the process itself stays idle. */
function residentMb(pid: number | undefined): number {
  const [, kilobytes] = /^VmRSS:\s+(\d+)/m.exec(readFileSync(`/proc/${pid}/status`, 'utf8')) ?? []
  return (Number(kilobytes) * 1024) / 1e6
}

async function order<Answer>(child: ChildProcess, name: string): Promise<Answer> {
  child.send(name)
  const answered = new AbortController()
  const { signal } = answered
  const ended = once(child, 'exit', { signal }).then(() => assert.fail(`The host ended at the order "${name}"`))
  const [answer] = await Promise.race([once(child, 'message', { signal }), ended])
  answered.abort()
  return answer[name]
}
