import assert from 'node:assert/strict'
import { readFileSync, rmSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { after, before, describe, it } from 'node:test'
import { connect } from '@trunkline/mcp'
import { contract } from '@trunkline/mcp/contract'
import { programFile } from '../../../../tools/lib/program-file.ts'
import { until } from '../../../../tools/lib/until.ts'
import { startHost } from '../../src/assembly/start-host.ts'
import { KnownOutcomes } from '../../src/relay/terms/known-outcomes.ts'
import { openStore } from '../../src/store/store.ts'
import { outcomeTables } from '../../src/store/tables/outcome-table.ts'
import { textOf } from '../gateway/running-host.ts'
import { acceptServer, type Killable, killableHome } from '../kills/killable.ts'
import { temporaryFolder } from '../temporary-folder.ts'
import { keeping, type TermsWorld, termsWorld } from './terms-world.ts'

describe('calls with a key, at servers that know nothing of keys', () => {
  let world: TermsWorld
  let mcp: Awaited<ReturnType<typeof keeping>>
  const count = (text: string): number => world.done().filter((line) => line === text).length
  before(async () => {
    world = await termsWorld()
    mcp = await keeping(world.host)
  })
  after(async () => {
    await mcp?.close()
    await world?.[Symbol.asyncDispose]()
  })

  it('the same key and arguments are one call, one after the other and at the same time', async () => {
    const add = () => mcp.tools.call('plain__add', { text: 'once', afterMs: 50 }, { idempotencyKey: 'k1' })
    const results = await Promise.all([add(), add(), add()])
    assert.deepEqual(new Set(results.map(textOf)), new Set(['added once']))
    assert.equal((await add()).isRepeated, true)
    assert.equal(count('once'), 1)
  })

  it('other arguments under the same key are refused; another client, tool or key is another call', async () => {
    const options = { idempotencyKey: 'k2' }
    await mcp.tools.call('plain__add', { text: 'mine' }, options)
    await assert.rejects(
      mcp.tools.call('plain__add', { text: 'other' }, options),
      /was used for a call with other arguments/,
    )
    await using other = await keeping(world.host, { name: 'other' })
    await other.tools.call('plain__add', { text: 'mine' }, options)
    await mcp.tools.call('plain__add', { text: 'mine' }, { idempotencyKey: 'k3' })
    assert.equal(count('mine'), 3)
    assert.equal(count('other'), 0)
  })

  it('an unanswered call is unknown, and is not done again', async () => {
    const crash = () =>
      mcp.tools.call('plain__add_and_crash', { text: 'crashed' }, { idempotencyKey: 'k4', attempts: 1 })
    assert.equal((await crash()).isError, true)
    const again = await crash()
    assert.deepEqual(again.status, { code: 1, class: 'unknown' })
    assert.match(textOf(again), /It is not known whether the earlier call of "add_and_crash" with this key took effect/)
    assert.equal(count('crashed'), 1)
  })

  it('a server that keeps the contract gets a key of its own for each client, and its answer passes', async () => {
    const add = () => mcp.tools.call('kept__add', { text: 'kept' }, { idempotencyKey: 'k5' })
    assert.deepEqual((await add()).status, { code: 7, class: 'failed' })
    assert.equal((await add()).isRepeated, true)
    assert.equal(count('kept'), 1)
  })

  it('a dry run reaches only servers that keep the contract, and a plan is held to', async () => {
    const { effects, plan } = await mcp.tools.preview('kept__publish', { text: 'a' })
    assert.deepEqual(effects, ['publish a'])
    assert.equal(count('published a'), 0)
    assert.equal((await mcp.tools.call('kept__publish', { text: 'a' }, { plan })).isError, undefined)
    assert.equal(count('published a'), 1)
    await assert.rejects(mcp.tools.preview('plain__add', { text: 'dry' }), /dryRun cannot be honoured: server "plain"/)
    assert.equal(count('dry'), 0)
  })

  it('keys, budgets and plans that make no sense are refused by name, at servers of both kinds, and nothing is done', async () => {
    const before = world.done().length
    const other = await mcp.tools.preview('kept__publish', { text: 'other' })
    const call = (tool: 'plain__add' | 'kept__publish', options: object) =>
      mcp.tools.call(tool, { text: 'absurd' }, options)
    for (const tool of ['plain__add', 'kept__publish'] as const) {
      await assert.rejects(
        call(tool, { idempotencyKey: 'x'.repeat(1_000_000) }),
        /idempotencyKey must have at most 512/,
      )
      await assert.rejects(call(tool, { want: { maxBytes: -1 } }), /want\.maxBytes must be a number above 0/)
      await assert.rejects(call(tool, { want: { maxBytes: 1e300 } }), /want\.maxBytes must be a number above 0/)
      await assert.rejects(call(tool, { cwd: '/'.repeat(5_000) }), /cwd must have at most 4096/)
    }
    await assert.rejects(call('plain__add', { plan: other.plan }), /plan cannot be held to: server "plain"/)
    await assert.rejects(call('kept__publish', { plan: other.plan }), /plan no longer holds/)
    await assert.rejects(call('kept__publish', { plan: 'made up' }), /not a plan for this tool and caller/)
    assert.equal(world.done().length, before)
  })

  it('outcomes outlive the host, and calls under way when it ended are unknown', async () => {
    using folder = temporaryFolder()
    const { servers } = world
    const open = async () => {
      const host = await startHost({ folder: folder.path, servers, open: true, drainMs: 0 })
      for (const { name } of servers) if (!host.isAccepted(name)) await host.accept(name)
      return { host, client: await keeping(host) }
    }
    const call = { idempotencyKey: 'k6' }
    {
      const { host, client } = await open()
      host.setPolicy({ rules: [], mode: 'observe' })
      await client.tools.call('plain__add', { text: 'lasting' }, call)
      const table = host.outcomes.known
      // as if the host had been killed within the call
      const cut = client.tools.call('plain__add', { text: 'cut', afterMs: 60_000 }, { idempotencyKey: 'k7' })
      cut.catch(() => {})
      await until(() => table.size.rows >= 2)
      await client.close()
      await host.close()
    }
    const { host, client } = await open()
    host.setPolicy({ rules: [], mode: 'observe' })
    const again = await client.tools.call('plain__add', { text: 'lasting' }, call)
    assert.deepEqual([textOf(again), again.isRepeated], ['added lasting', true])
    const lost = await client.tools.call('plain__add', { text: 'cut', afterMs: 60_000 }, { idempotencyKey: 'k7' })
    assert.equal(lost.status?.class, 'unknown')
    assert.equal(count('lasting'), 1)
    await client.close()
    await host.close()
  })

  it('the memory of outcomes is bounded by calls, bytes and time', async () => {
    using folder = temporaryFolder()
    const store = openStore({ path: `${folder.path}/test.db`, rooms: [outcomeTables] })
    const known = new KnownOutcomes(store, { maxPerPrincipal: 3, maxTotalBytes: 4_000, maxAgeMs: 60_000 })
    for (const key of ['a', 'b', 'c', 'd']) await known.begin(key, 'ann', 'x')
    await known.begin('e', 'bob', 'x')
    assert.deepEqual(
      ['a', 'b', 'e'].map((key) => known.find(key) !== undefined),
      [false, true, true],
    )
    const text = 'x'.repeat(3_000)
    await known.done('d', { content: [{ type: 'text', text }] })
    assert.ok(known.size.bytes <= 4_000)
    assert.equal(known.find('b'), undefined)
    await known.done('e', { content: [{ type: 'text', text: 'y'.repeat(10_000) }] })
    assert.match(
      JSON.stringify(known.find('e')?.result),
      /The call took effect\. Its result of \d+ characters was too large/,
    )
    assert.equal(known.find('e', Date.now() + 60_001), undefined)
    await known.prune(Date.now() + 60_001)
    assert.equal(known.size.rows, 0)
    await store.close()
  })
})

/** Place of a call when a process is killed: at its server, done there, or answered. */
const places = ['arrived', 'done', 'nowhere'] as const

it('kill -9 of host, server and both at every step of a call with a key: done once or reported as unknown, never twice', async () => {
  await using home = killableHome()
  const inHome = (name: string) => join(home.at.home, name)
  const [notes, pause] = [inHome('notes.txt'), inHome('pause')]
  writeFileSync(notes, '')
  const program = programFile(new URL('../programs/pausing.ts', import.meta.url))
  const entry = { command: process.execPath, args: [program], env: { NOTES: notes, PAUSE: pause } }
  home.at.configure({ mcpServers: { pausing: entry }, policy: { allow: ['pausing:*'] } })
  const noted = (line: string): number =>
    readFileSync(notes, 'utf8')
      .split('\n')
      .filter((one) => one === line).length
  let host = await home.start()
  await acceptServer(host.api, 'pausing')
  const { token } = await host.api.call('addClient', { name: 'caller' })
  const call = async ({ url }: Killable, text: string, pauseAt: string) => {
    const http = { headers: { authorization: `Bearer ${token}` } }
    await using mcp = await connect(new URL(url), { extensions: [contract()], http })
    const result = await mcp.tools.call('pausing__add', { text, pauseAt }, { idempotencyKey: text, attempts: 1 })
    return { said: textOf(result), status: result.status?.class, isRepeated: result.isRepeated === true }
  }
  // one call at each place, so that one kill shows all of them
  for (const victim of ['server', 'host', 'both'] as const) {
    writeFileSync(pause, '')
    const calls = places.map((place) => ({ place, text: `${victim}-${place}` }))
    const first = calls.map(({ place, text }) =>
      call(host, text, place).catch((error: Error) => ({ said: error.message })),
    )
    assert.equal((await first[places.indexOf('nowhere')])?.said, `added ${victim}-nowhere`)
    for (const { place, text } of calls)
      await until(() => noted(`${place === 'nowhere' ? 'done' : place} ${text}`) === 1, text)
    const { items } = await host.api.call('servers')
    const pid = items[0]?.pid
    if (victim !== 'host' && pid !== undefined) process.kill(pid, 'SIGKILL')
    if (victim !== 'server') await host.kill()
    await Promise.all(first)
    rmSync(pause)
    if (victim === 'server') await host.api.call('restart', { server: 'pausing' })
    else host = await home.start()
    for (const { place, text } of calls) {
      const again = await call(host, text, place)
      // an answered call is known; an unanswered one is not, and is not done again to find out
      if (place === 'nowhere') assert.deepEqual([again.said, again.isRepeated], [`added ${text}`, true], text)
      else assert.equal(again.status, 'unknown', `${text}: ${again.said}`)
      assert.equal(noted(`done ${text}`), place === 'arrived' ? 0 : 1, text)
      assert.equal((await call(host, text, place)).said, again.said, 'and it stays so')
    }
  }
})
