import assert from 'node:assert/strict'
import { after, before, describe, it } from 'node:test'
import { connect } from '@trunkline/mcp'
import { contract } from '@trunkline/mcp/contract'
import { tasks } from '@trunkline/mcp/tasks'
import { until } from '../../../../tools/lib/until.ts'
import { queryLedger } from '../../src/ledger/query.ts'
import { type RunningHost, textOf } from '../gateway/running-host.ts'
import { keeping, outerHost, type TermsWorld, termsWorld } from './terms-world.ts'

describe('signals to calls at servers behind the host', () => {
  let world: TermsWorld
  let outer: RunningHost
  before(async () => {
    // so that each caller is at its limit with one call, and the server with two
    world = await termsWorld({ limits: { maxActsPerPrincipal: 1 } }, { maxCalls: 2 })
    outer = await outerHost(world)
  })
  after(async () => {
    await outer?.[Symbol.asyncDispose]()
    await world?.[Symbol.asyncDispose]()
  })
  const begun = (count: number) =>
    until(() => world.done().filter((line) => line === 'watched: begun').length === count, 'a call')

  for (const revision of ['2026-07-28', '2024-11-05'])
    it(`[${revision}] by the handle that the caller gave, as at the server itself, over two hosts`, async () => {
      const { token } = await outer.host.principals.make({ name: `by-handle-${revision}` })
      const http = { headers: { authorization: `Bearer ${token}` } }
      await using mcp = await connect(new URL(outer.host.url), {
        ...{ extensions: [contract()], http, revisions: [revision] },
      })
      const before = world.done().length
      const call = mcp.tools.call('inner__kept__get_watched', {}, { handle: 'w-1' })
      await until(() => world.done().length > before, 'the call')
      await mcp.tools.signal('w-1', 'reload')
      await mcp.tools.signal('w-1', 'reload')
      await assert.rejects(
        mcp.tools.signal('w-1', 'stop'),
        /Tool "kept__get_watched" takes "reload", "finish", and no signal "stop"/,
      )
      await assert.rejects(mcp.tools.signal('w-2', 'finish'), /No running call of this caller/)
      const again = mcp.tools.call('inner__kept__get_watched', {}, { handle: 'w-1' })
      await assert.rejects(again, /handle is the name of another running call/)
      await mcp.tools.signal('w-1', 'finish')
      assert.equal(textOf(await call), '2 reloads')
      await assert.rejects(mcp.tools.signal('w-1', 'finish'), /No running call of this caller/)
    })

  it('by the task that the caller was given, which is not the name that its server knows', async () => {
    const { token } = await world.host.principals.make({ name: 'by-task' })
    const http = { headers: { authorization: `Bearer ${token}` } }
    const extensions = [tasks(), contract()] as const
    await using mcp = await connect(new URL(world.host.url), { extensions, http, revisions: ['2025-11-25'] })
    const task = await mcp.tools.start('kept__get_watched', {})
    // it may not have left yet, and is heard all the same
    await mcp.tools.signal(task, 'reload')
    await mcp.tools.signal(task.id ?? '', 'finish')
    assert.match(textOf(await task.result()), /^[01] reloads$/)
  })

  it('another caller knows neither; each signal is an act in the record, and waits for no place at a server that is full', async () => {
    await using ann = await keeping(world.host, { name: 'ann' })
    await using bob = await keeping(world.host, { name: 'bob' })
    const before = world.done().filter((line) => line === 'watched: begun').length
    const call = ann.tools.call('kept__get_watched', {}, { handle: 'mine' })
    await begun(before + 1)
    await assert.rejects(bob.tools.signal('mine', 'finish'), /No running call of this caller/)
    const own = bob.tools.call('kept__get_watched', {}, { handle: 'mine' })
    await begun(before + 2)
    await bob.tools.signal('mine', 'finish')
    assert.equal(textOf(await own), '0 reloads')
    await ann.tools.signal('mine', 'reload')
    await ann.tools.signal('mine', 'finish')
    assert.equal(textOf(await call), '1 reloads')
    const sent = queryLedger(world.host.store, {}).flatMap(({ line }) => (line.actKind === 'signal' ? [line] : []))
    const ofAnn = sent.filter(({ principal }) => principal === 'ann')
    assert.deepEqual(
      ofAnn.map(({ server, target, outcome }) => [server, target, outcome]),
      Array(2).fill(['kept', 'get_watched', 'ok']),
    )
  })

  it('a bad signal is refused by its field', async () => {
    await using mcp = await keeping(world.host, { name: 'wrong' })
    const send = (params: object) =>
      mcp.request('dev.trunkline/contract/signal', params as never).catch((error: Error) => error.message)
    assert.match(await send({ to: 3, signal: 'x' }).then(String), /"to" must be/)
    assert.match(await send({ to: 'x' }).then(String), /"?signal"? must be|signal.*missing/)
  })
})
