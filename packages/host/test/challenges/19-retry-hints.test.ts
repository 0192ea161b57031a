import assert from 'node:assert/strict'
import { after, before, describe, it } from 'node:test'
import { type Client, McpError } from '@trunkline/mcp'
import type { Doing } from '../../src/acts/outcome.ts'
import { isRepeatable, withRepeats } from '../../src/acts/repeat.ts'
import type { Upstream } from '../../src/servers/upstream.ts'
import { textOf } from '../gateway/running-host.ts'
import { type TermsWorld, termsWorld } from './terms-world.ts'

describe('calls that are made again', () => {
  let world: TermsWorld
  let mcp: Client
  const tries = (name: string): number => world.done().filter((line) => line.startsWith(`${name} `)).length
  before(async () => {
    world = await termsWorld({}, { maxRepeatsPerMinute: 5 })
    mcp = await world.dial()
  })
  after(async () => {
    await mcp?.close()
    await world?.[Symbol.asyncDispose]()
  })

  it('a call that only reads is made again when its server says so, within three attempts', async () => {
    assert.equal(textOf(await mcp.tools.call('kept__get_flaky', { name: 'a', failures: 2 })), 'done after 2')
    assert.equal(tries('a'), 3)
    const failed = await mcp.tools.call('kept__get_flaky', { name: 'b', failures: 9 })
    assert.equal(failed.isError, true)
    assert.equal(tries('b'), 3)
  })

  it('beyond the budget of its server nothing is made again', async () => {
    // four of five were spent above
    const failed = await mcp.tools.call('kept__get_flaky', { name: 'c', failures: 9 })
    assert.equal(failed.isError, true)
    assert.equal(tries('c'), 2)
  })

  it('a call that may change something is never made again, and its caller reads the hint', async () => {
    const failed = await mcp.tools.call('kept__write_flaky', { name: 'd', failures: 1 })
    assert.equal(failed.isError, true)
    const { 'dev.trunkline/contract': terms } = failed._meta ?? {}
    assert.deepEqual(terms, { retry: { class: 'rateLimited', afterMs: 5 } })
    assert.equal(tries('d'), 1)
  })

  it('a server that crashed during a call is not asked again what may have been done', async () => {
    const failed = await mcp.tools.call('plain__add_and_crash', { text: 'crash' })
    assert.equal(failed.isError, true)
    assert.equal(tries('crash'), 0)
    assert.equal(world.done().filter((line) => line === 'crash').length, 1)
  })

  it('what certainly did not leave is sent again, where a person says that a repeat does no harm', async () => {
    const upstream = { spec: { name: 'x', repeatable: ['sync_*'] }, connection: undefined } as unknown as Upstream
    const doing = (target: string, more: object = {}) =>
      ({
        act: { kind: 'call', class: 'writes', target },
        call: { signal: AbortSignal.any([]) },
        ...more,
      }) as unknown as Doing
    assert.deepEqual(
      ['sync_all', 'drop'].map((name) => isRepeatable(doing(name), upstream)),
      [true, false],
    )
    for (const [outcome, runs] of [
      ['NotSent', 2],
      ['Unknown', 1],
      ['Rejected', 1],
    ] as const) {
      let ran = 0
      const work = withRepeats(doing('sync_all'), upstream, async () => {
        ran += 1
        if (ran === 1) throw new McpError('Closed', 'gone', { outcome })
        return { content: [] }
      })
      if (runs === 2) await work
      else await assert.rejects(work, /gone/)
      assert.equal(ran, runs)
    }
    const late = doing('sync_all', { given: { terms: {}, endsAt: performance.now() + 50, isSent: true } })
    const refused = withRepeats(late, upstream, async () => {
      throw new McpError('Closed', 'gone', { outcome: 'NotSent' })
    })
    await assert.rejects(refused, /gone/)
  })
})
