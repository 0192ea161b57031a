import assert from 'node:assert/strict'
import { describe, it } from 'node:test'
import { Slots } from '@trunkline/base/slots'
import { lacking } from '../../../../tools/lib/needs.ts'
import { programFile } from '../../../../tools/lib/program-file.ts'
import { until } from '../../../../tools/lib/until.ts'
import { processesOf } from './process-memory.ts'
import type { ServerSpec } from './server-spec.ts'
import { Upstream } from './upstream.ts'
import type { UpstreamError } from './upstream-error.ts'
import type { UpstreamParts } from './upstream-parts.ts'
import type { UpstreamStatus } from './upstream-status.ts'

const program = programFile(new URL('../../test/programs/upstream.ts', import.meta.url))

const mute = programFile(new URL('../../test/programs/mute.ts', import.meta.url))

function specOf(args: readonly string[], more: Partial<ServerSpec> = {}): ServerSpec {
  const launch = { kind: 'program', command: process.execPath, args, cwd: '/', env: {} } as const
  return { name: 'test', launch, ...more }
}

function upstreamOf(spec: ServerSpec, parts: Partial<UpstreamParts> = {}) {
  const states: UpstreamStatus[] = []
  const onState = (status: UpstreamStatus) => states.push(status)
  const upstream = new Upstream(spec, {
    starts: new Slots(4, 100),
    connecting: { options: () => ({ onWarning: () => {} }) },
    onState,
    ...parts,
  })
  return { upstream, states, [Symbol.asyncDispose]: () => upstream.stop('the test is over') }
}

const call = (upstream: Upstream, tool: string, args = {}) =>
  upstream.run(async (client) => {
    const { content } = await client.tools.call(tool, args)
    const [block] = content
    return block?.type === 'text' ? block.text : ''
  })

describe('Upstream', () => {
  it('is tried again by itself for as long as it fails, where it has to run without calls', async () => {
    // waits that are no whole milliseconds: a timer comes before they are over
    const breaker = { firstWaitMs: 5.9, maxWaitMs: 5.9, random: () => 0.97 }
    await using host = upstreamOf(specOf(['-e', 'process.exit(1)'], { eager: true, breaker }))
    await until(() => host.upstream.status.starts >= 6)
  })

  it('starts with the first call, once for many', async () => {
    await using host = upstreamOf(specOf([program]))
    assert.equal(host.upstream.status.state, 'waiting')
    const pids = await Promise.all([call(host.upstream, 'pid'), call(host.upstream, 'pid'), call(host.upstream, 'pid')])
    assert.equal(new Set(pids).size, 1)
    assert.equal(host.upstream.status.starts, 1)
    assert.equal(host.upstream.status.state, 'ready')
  })

  it('is back by the next call after a crash, and shows its last output', async () => {
    await using host = upstreamOf(specOf([program]))
    await assert.rejects(call(host.upstream, 'crash'), /exited with code 3/)
    assert.equal(host.upstream.status.state, 'failing')
    assert.match(host.upstream.status.why, /exited with code 3/)
    assert.equal(host.upstream.log.last, 'about to crash')
    assert.equal(await call(host.upstream, 'echo', { text: 'again' }), 'again')
    assert.equal(host.upstream.status.starts, 2)
  })

  it('is left alone for a while when it fails in a row, and then refuses at once with the time of the next try', async () => {
    const breaker = { firstWaitMs: 60_000, random: () => 1 }
    await using host = upstreamOf(specOf(['-e', 'console.error("no way"); process.exit(1)'], { breaker }))
    await assert.rejects(host.upstream.client(), /no way.*; the next call starts it again$/s)
    await assert.rejects(host.upstream.client(), /no way.*; it is tried again in \d+\.\d s$/s)
    assert.equal(host.upstream.status.starts, 2)
    await assert.rejects(host.upstream.client(), (error: UpstreamError) => {
      assert.equal(error.problem, 'not yet')
      assert.match(error.message, /no way/)
      assert.match(error.message, /it is tried again in 60\.0 s/)
      return true
    })
    assert.equal(host.upstream.status.starts, 2)
    await assert.rejects(host.upstream.restart(), /no way/)
    assert.equal(host.upstream.status.starts, 3)
  })

  it('needs a person where there is no such program, or a value is missing', async () => {
    const launch = { kind: 'program', command: 'no-such-program-here', args: [], cwd: '/', env: {} } as const
    await using missing = upstreamOf({ name: 'test', launch })
    await assert.rejects(missing.upstream.client(), /no such program.*; a person has to see to that at the host$/)
    assert.equal(missing.upstream.status.state, 'needs you')
    const needs = 'TOKEN is not set (trunkline.json:4)'
    await using unresolved = upstreamOf({ name: 'test', launch: { kind: 'unresolved', needs } })
    await assert.rejects(unresolved.upstream.client(), /TOKEN is not set \(trunkline\.json:4\)/)
  })

  it('is ended when it was idle for a while, and leaves no process', async () => {
    await using host = upstreamOf(specOf([program], { idleMs: 1 }))
    const pid = Number(await call(host.upstream, 'pid'))
    await until(() => host.upstream.status.state === 'waiting')
    await until(async () => (await processesOf(pid)).length === 0)
    assert.equal(await call(host.upstream, 'echo', { text: 'x' }), 'x')
  })

  it('lets a limited number of calls in, and a limited number wait', async () => {
    await using host = upstreamOf(specOf([program], { maxCalls: 1, maxWaitingCalls: 1 }))
    await host.upstream.client()
    const stop = new AbortController()
    const first = host.upstream.run((client) => client.tools.call('wait', { ms: 10_000 }, { signal: stop.signal }))
    const second = call(host.upstream, 'echo', { text: 'second' })
    await assert.rejects(call(host.upstream, 'echo', { text: 'third' }), (error: UpstreamError) => {
      assert.equal(error.problem, 'too busy')
      return true
    })
    stop.abort(new Error('enough'))
    await assert.rejects(first, /enough/)
    assert.equal(await second, 'second')
  })

  it('is restarted when it takes more memory than it may', {
    skip: lacking('linux', process.platform === 'linux'),
  }, async () => {
    await using host = upstreamOf(specOf([program], { healthMs: 50, maxMemoryBytes: 400 * 1024 ** 2 }))
    // the check may come before the answer
    await call(host.upstream, 'grow', { bytes: 500 * 1024 ** 2 }).catch(() => {})
    await until(() => host.upstream.status.state === 'failing')
    assert.match(host.upstream.status.why, /it used \d+ MiB, more than the 400 MiB it may/)
    assert.equal(await call(host.upstream, 'echo', { text: 'back' }), 'back')
  })

  for (const [shape, args] of Object.entries({ handshake: [mute], stateless: [mute, 'stateless'] })) {
    it(`with ${shape} is restarted when it stops answering`, async () => {
      await using host = upstreamOf(specOf(args, { healthMs: 20, pingMs: 20 }))
      await host.upstream.client()
      await until(() => host.upstream.status.state === 'failing')
      assert.match(host.upstream.status.why, /did not answer 2 pings/)
    })
  }

  it('that answers again after each ping it missed goes on', async () => {
    await using host = upstreamOf(specOf([mute, 'now-and-then'], { healthMs: 10, pingMs: 1_000 }))
    await host.upstream.client()
    await until(() => host.upstream.log.last === 'ping 7' || host.upstream.status.state === 'failing')
    assert.deepEqual([host.upstream.status.state, host.upstream.status.starts], ['ready', 1])
  })

  it('that takes longer to start than it may is given up, and leaves no process', async () => {
    await using host = upstreamOf(
      specOf(['-e', 'console.error(process.pid); setInterval(() => {}, 1000)'], { startMs: 500 }),
    )
    await assert.rejects(host.upstream.client(), /500 ms.*; the next call starts it again$/s)
    assert.equal(host.upstream.status.state, 'failing')
    const pid = Number(host.upstream.log.last)
    if (pid > 0) await until(async () => (await processesOf(pid)).length === 0)
  })

  it('stays stopped until it is restarted', async () => {
    await using host = upstreamOf(specOf([program]))
    await call(host.upstream, 'pid')
    await host.upstream.stop()
    await assert.rejects(call(host.upstream, 'pid'), /it is stopped: stopped by hand/)
    await host.upstream.restart()
    assert.equal(await call(host.upstream, 'echo', { text: 'x' }), 'x')
  })

  it('that is stopped while it starts ends at once and stays stopped; one that hangs can be restarted', async () => {
    await using host = upstreamOf(specOf(['-e', 'setInterval(() => {}, 1000)']))
    const starting = host.upstream.client()
    await until(() => host.upstream.status.state === 'starting')
    await Promise.all([host.upstream.stop(), assert.rejects(starting, /it is stopped: stopped by hand/)])
    assert.equal(host.upstream.status.state, 'stopped')
    await assert.rejects(host.upstream.client(), /it is stopped: stopped by hand/)
    const restarting = assert.rejects(host.upstream.restart(), /restarted by hand/)
    await until(() => host.upstream.status.starts === 2)
    void host.upstream.restart().catch(() => {})
    await restarting
  })

  it('that is watched is not ended while idle, and comes back by itself', async () => {
    let isWatched = true
    await using host = upstreamOf(specOf([program], { idleMs: 5 }), { isWatched: () => isWatched })
    const ready = () => host.states.filter(({ state }) => state === 'ready').length
    await until(() => ready() === 1)
    await assert.rejects(call(host.upstream, 'crash'))
    await until(() => ready() === 2)
    await new Promise((resolve) => setTimeout(resolve, 50))
    assert.equal(host.upstream.status.state, 'ready')
    isWatched = false
    await until(() => host.upstream.status.state === 'waiting')
  })

  it('starts by itself where it is to run from the start, and comes back by itself', async () => {
    await using host = upstreamOf(specOf([program], { eager: true }))
    const ready = () => host.states.filter(({ state }) => state === 'ready').length
    await until(() => ready() === 1)
    await assert.rejects(call(host.upstream, 'crash'))
    await until(() => ready() === 2)
  })
})
