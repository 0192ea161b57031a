import assert from 'node:assert/strict'
import { after, before, describe, it } from 'node:test'
import type { RunningHost } from '../gateway/running-host.ts'
import { keeping, outerHost, type TermsWorld, termsWorld } from './terms-world.ts'

describe('deadlines over the host', () => {
  let world: TermsWorld
  let outer: RunningHost
  before(async () => {
    world = await termsWorld()
    outer = await outerHost(world)
  })
  after(async () => {
    await outer?.[Symbol.asyncDispose]()
    await world?.[Symbol.asyncDispose]()
  })

  it('the innermost of three hops gives up first, and nothing runs on', async () => {
    await using mcp = await keeping(outer.host)
    const result = await mcp.tools.call('inner__kept__wait', {}, { deadlineMs: 2_000 })
    assert.deepEqual([result.isError, result.status?.class], [true, 'timeout'])
    // the words of the server, with the time that was left for it
    const [, ms = ''] = /^Tool "wait" took longer than (\d+) ms$/.exec(String(Object(result.content[0]).text)) ?? []
    assert.ok(Number(ms) < 1_700 && Number(ms) > 0, ms)
    await world.until('wait: ended')
    assert.deepEqual(world.done(), ['wait: with a deadline', 'wait: ended'])
    assert.equal(world.host.servers.get('kept')?.status.calls, 0)
    assert.equal(outer.host.servers.get('inner')?.status.calls, 0)
  })

  it('a server that knows nothing of deadlines is cancelled, and its caller is answered in time', async () => {
    await using mcp = await keeping(outer.host)
    const before = world.done().length
    const answers: unknown[] = []
    // a hop keeps a tenth of a second for its answer: on a busy machine the clock of the caller may end first
    for (let calls = 1; calls <= 5 && answers.length === 0; calls += 1) {
      await mcp.tools.call('inner__plain__wait', {}, { deadlineMs: 1_500 }).then(
        ({ isError, status }) => answers.push([isError, status]),
        (error: Error) => assert.match(error.message, /no answer in 1500 ms/),
      )
      await world.until('wait: begun\nwait: ended\n'.repeat(calls).trimEnd())
      assert.deepEqual(
        world.done().slice(before),
        Array.from({ length: calls }, () => ['wait: begun', 'wait: ended']).flat(),
      )
    }
    assert.deepEqual(answers, [[true, { code: 124, class: 'timeout' }]])
  })

  it('an absurd deadline is refused by its name, and nothing is called', async () => {
    const before = world.done().length
    await using mcp = await keeping(world.host)
    for (const deadlineMs of [1e12, Number.NaN])
      await assert.rejects(mcp.tools.call('plain__add', { text: 'x' }, { deadlineMs }), /deadline/)
    assert.equal(world.done().length, before)
  })
})
