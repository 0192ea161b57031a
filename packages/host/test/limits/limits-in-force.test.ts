import assert from 'node:assert/strict'
import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { describe, it } from 'node:test'
import { queryLedger } from '../../src/ledger/query.ts'
import { pipeDefaults } from '../../src/pipe/pipe-limits.ts'
import { deferred } from '../../src/relay/deferred.ts'
import { programSpec, runningHost, textOf } from '../gateway/running-host.ts'
import { answer, callerOf, person, programEntry } from '../run/person.ts'

/** The most processes that were starting at the same time, by the notes that they wrote themselves. */
function mostAtOnce(notes: string): number {
  let now = 0
  let most = 0
  for (const note of notes) {
    now += note === '+' ? 1 : -1
    most = Math.max(most, now)
  }
  return most
}

describe('host.callsPerMinute', () => {
  it('refuses acts of one principal beyond it, records that, and leaves others alone', async () => {
    await using running = await runningHost({ servers: [programSpec('one')] })
    running.host.maxCallsPerMinute = 3
    await using mcp = await running.dial('')
    await using other = await running.dial('', { name: 'other' })
    for (const text of ['a', 'b', 'c']) assert.equal(textOf(await mcp.tools.call('one__echo', { text })), text)
    const fourth = await mcp.tools.call('one__echo', { text: 'd' })
    assert.equal(fourth.isError, true)
    assert.match(textOf(fourth), /Too many calls of "editor": 3 in a minute; try again in \d+ s/)
    assert.equal(textOf(await other.tools.call('one__echo', { text: 'mine' })), 'mine')
    const [line] = queryLedger(running.host.store, { outcome: 'limited' })
    assert.equal(line?.line.principal, 'editor')
  })
})

describe('the limits of the configuration', () => {
  for (const startsAtOnce of [1, 3]) {
    it(`host.startsAtOnce: ${startsAtOnce} of six processes start at the same time`, async () => {
      using ann = person()
      const notes = join(ann.home, 'starts')
      const entry = programEntry('slow-start', { start: 'at once' }) as { env: object }
      const slow = { ...entry, env: { ...entry.env, STARTS: notes, TOGETHER: String(startsAtOnce) } }
      const names = ['a', 'b', 'c', 'd', 'e', 'f']
      ann.configure({ host: { startsAtOnce }, mcpServers: Object.fromEntries(names.map((name) => [name, slow])) })
      const ready = new Set<string>()
      const allReady = deferred<void>()
      await using running = await ann.run({
        onState: ({ name, state }) => {
          if (state === 'ready') ready.add(name)
          if (ready.size === names.length) allReady.resolve()
        },
      })
      for (const question of running.host.inbox.open) await answer(running, question, 'once')
      await allReady.promise
      const written = readFileSync(notes, 'utf8')
      assert.equal(mostAtOnce(written), startsAtOnce, written)
    })
  }

  it('are in force from the start, follow a change of the file, and have usual values', async () => {
    using ann = person()
    const pipe = { maxSteps: 2, maxPlanKb: 3, maxKeptMb: 4, maxMinutes: 5, maxRuns: 6, maxRemembered: 7 }
    ann.configure({ host: { callsPerMinute: 2 }, ledger: { keepDays: 3, maxMb: 4, chainDays: 5 }, pipe })
    await using running = await ann.run()
    const { host } = running
    assert.equal(host.projects.usual.limits?.callsPerMinute, 2)
    const inUnits = { maxPlanBytes: 3 * 1024, maxKeptBytes: 4 * 1024 ** 2, maxTotalMs: 5 * 60_000 }
    const counts = { maxSteps: 2, maxRunsPerPrincipal: 6, maxRemembered: 7 }
    assert.deepEqual(host.pipes.limits, { ...pipeDefaults, ...inUnits, ...counts })
    await using mcp = await callerOf(running)
    const steps = ['a', 'b', 'c'].map((id) => ({ id, call: 'x' }))
    assert.match(textOf(await mcp.tools.call('pipe', { plan: { steps } })), /it has 3 steps, at most 2/)
    assert.deepEqual(host.retention.limits, { keepDays: 3, maxMb: 4, chainDays: 5 })
    ann.configure({})
    await running.config.readAgain(ann.places.userFile)
    await running.reload()
    assert.equal(host.projects.usual.limits?.callsPerMinute, 6_000)
    // the file and programs of one's own start from the same
    assert.deepEqual(host.pipes.limits, pipeDefaults)
    assert.deepEqual(host.retention.limits, { keepDays: 14, maxMb: 512, chainDays: 365 })
  })

  it('host.maxResultKb, and that of a server before it', async () => {
    using ann = person()
    ann.configure({
      host: { maxResultKb: 1 },
      mcpServers: { a: programEntry('large'), b: programEntry('large', { maxResultKb: 20 }) },
    })
    await using running = await ann.run()
    for (const name of ['a', 'b']) await running.host.accept(name)
    await using mcp = await callerOf(running)
    const sizes = await Promise.all(
      ['a', 'b'].map(async (name) => textOf(await mcp.tools.call(`${name}__read_text`, { bytes: 10_000 })).length),
    )
    assert.ok((sizes[0] ?? 0) < 2_000 && sizes[1] === 10_000, sizes.join())
  })
})
