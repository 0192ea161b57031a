import assert from 'node:assert/strict'
import { join } from 'node:path'
import { describe, it, mock } from 'node:test'
import { setImmediate } from 'node:timers/promises'
import { temporaryFolder } from '../../test/temporary-folder.ts'
import { openStore } from '../store/store.ts'
import { LedgerSearchTable } from '../store/tables/ledger-search-table.ts'
import { ledgerTables } from '../store/tables/ledger-tables.ts'
import { prepareSearch } from '../store/tables/prepare-search.ts'
import { Ledger } from './ledger.ts'
import type { Line } from './line.ts'
import type { Payload } from './payloads.ts'
import { type LedgerSearch, searchActs, searchLedger } from './search.ts'
import { LedgerIndex } from './search-index.ts'
import { searchExpression } from './search-words.ts'

function opened() {
  const folder = temporaryFolder()
  const store = openStore({ path: join(folder.path, 'test.db'), rooms: [ledgerTables] })
  const ledger = new Ledger(store)
  const index = new LedgerIndex(store, ledger)
  return {
    ...{ store, ledger, index },
    add(act: string, more: Partial<Line>, payload: Omit<Payload, 'level'> = {}) {
      const line: Line = { kind: 'ended', actKind: 'call', act, server: 'orders', target: 'find', ...more }
      return ledger.append(line, { level: 'full', ...payload })
    },
    async found(search: string, filter: LedgerSearch = {}) {
      assert.ok(await index.catchUp())
      return searchLedger(store, { ...filter, search }).lines.map(({ line }) => line.act)
    },
    async [Symbol.asyncDispose]() {
      await index.close()
      await store.close()
      folder[Symbol.dispose]()
    },
  }
}

describe('searchLedger', () => {
  it('finds words of arguments, results, names and reasons, all of them in one act', async () => {
    await using host = opened()
    await host.add('a', { kind: 'began' }, { arguments: { customer: 'Zoë Müller', id: 4_711 } })
    await host.add('a', { outcome: 'ok', principal: 'editor' }, { result: { text: 'sent\nto "Oslo"' } })
    await host.add('b', { outcome: 'error', why: 'the disk is full' }, { arguments: { path: '/tmp/2026-11-16/x.txt' } })
    assert.deepEqual(await host.found('4711 oslo editor'), ['a'])
    assert.deepEqual(await host.found('zoe MULL'), ['a', 'a'])
    assert.deepEqual(await host.found('2026-11-16/x'), ['b'])
    assert.deepEqual(await host.found('"disk is full" orders find'), ['b'])
    assert.deepEqual(await host.found('"full disk"'), [])
    assert.deepEqual(await host.found('oslo', { outcome: 'error' }), [])
  })

  it('takes no text for an expression of the database', async () => {
    await using host = opened()
    await host.add('a', {}, { arguments: { text: 'x NOT y' } })
    for (const text of ['NOT', 'words:x', '"', 'x" OR "y', '(', 'a*b', '^x', '{}'])
      await assert.doesNotReject(host.found(text))
    assert.equal(searchExpression('{} "" --'), undefined)
    assert.equal(searchExpression('order "a b" x'), '"order" * AND "a b" AND "x"')
  })

  it('is limited to a range of times, and goes on before a line', async () => {
    await using host = opened()
    for (const act of ['a', 'b', 'c']) await host.add(act, {}, { arguments: { word: 'lemon' } })
    assert.ok(await host.index.catchUp())
    const first = searchLedger(host.store, { search: 'lemon', most: 2 })
    assert.deepEqual([first.lines.map(({ line }) => line.act), first.older], [['c', 'b'], 2])
    const rest = searchLedger(host.store, { search: 'lemon', most: 2, before: 2 })
    assert.deepEqual([rest.lines.map(({ line }) => line.act), rest.older], [['a'], undefined])
    const at = first.lines[0]?.at ?? 0
    assert.deepEqual(await host.found('lemon', { since: at + 1 }), [])
    assert.deepEqual((await host.found('lemon', { until: at })).length, 3)
  })

  it('looks at 10 000 matches in one search, and goes on before the last of them', async () => {
    await using host = opened()
    await host.index.close()
    await host.add('wanted', {})
    const table = new LedgerSearchTable(host.store)
    // the lines after it were removed since; the index is looked at all the same
    await host.store.batch(() => {
      for (let number = 1; number <= 10_001; number++) table.add(number, 'find')
    })
    assert.deepEqual(searchLedger(host.store, { search: 'find' }), { lines: [], older: 2 })
    const rest = searchLedger(host.store, { search: 'find', before: 2 })
    assert.deepEqual([rest.lines.map(({ line }) => line.act), rest.older], [['wanted'], undefined])
  })
})

describe('searchActs', () => {
  it('answers with all lines of the acts, and with lines that have no act', async () => {
    await using host = opened()
    await host.add('a', { kind: 'began' }, { arguments: { word: 'lemon' } })
    await host.add('b', {}, { arguments: { word: 'melon' } })
    await host.add('a', { outcome: 'ok' })
    await host.ledger.append({ kind: 'started', server: 'orders', why: 'ready' })
    await host.index.catchUp()
    const numbers = (search: LedgerSearch) => searchActs(host.store, search).lines.map(({ number }) => number)
    assert.deepEqual(numbers({ search: 'lemon' }), [1, 3])
    assert.deepEqual(numbers({ most: 2 }), [1, 3, 4])
  })
})

describe('LedgerIndex', () => {
  it('forgets the words of a payload in the write that deletes it, and still finds its line', async () => {
    await using host = opened()
    await host.add('a', { kind: 'began' }, { arguments: { word: 'zanzibar' } })
    await host.add('a', { outcome: 'ok' }, { result: 'done' })
    await host.add('b', { server: 'other' }, { arguments: { word: 'lemon' } })
    assert.deepEqual(await host.found('zanzibar'), ['a', 'a'])
    await host.ledger.payloads.forget({ server: 'orders' })
    assert.deepEqual(searchLedger(host.store, { search: 'zanzibar' }).lines, [])
    assert.deepEqual(await host.found('orders find'), ['a', 'a'])
    assert.deepEqual(await host.found('lemon'), ['b'])
    await host.index.settle()
    const blocks = host.store.database.prepare('SELECT block FROM ledger_search_data').all()
    const text = Buffer.concat(blocks.map(({ block }) => Buffer.from(block as Uint8Array))).toString('latin1')
    assert.ok(text.includes('lemon') && !text.includes('zanzibar'), 'the file has no word of it')
  })

  it('forgets the words of a payload whose act goes on after the lines that are removed', async () => {
    await using host = opened()
    await host.add('a', { kind: 'began' }, { arguments: { word: 'zanzibar' } })
    await host.add('a', { outcome: 'ok' }, { result: 'done' })
    await host.index.catchUp()
    const [first] = searchLedger(host.store, {}).lines.slice(-1)
    host.store.database.prepare('UPDATE ledger_line SET at = 1 WHERE number = ?').run(first?.number ?? 0)
    assert.equal(await host.ledger.prune(2), 1)
    assert.deepEqual(searchLedger(host.store, { search: 'zanzibar' }).lines, [])
    assert.deepEqual(await host.found('done'), ['a'])
    assert.deepEqual(host.store.check(), [])
  })

  it('indexes a part of a long text in each turn, and no more than the beginning of a payload', async () => {
    await using host = opened()
    const long = 'lemon '.repeat(20_000)
    for (let act = 0; act < 20; act++) await host.add(`a${act}`, {}, { arguments: { long, last: 'melon' } })
    let turns = 0
    const timer = setInterval(() => turns++, 0)
    assert.equal((await host.found('lemon')).length, 20)
    clearInterval(timer)
    assert.ok(turns >= 5, `others had ${turns} turns`)
    assert.deepEqual(await host.found('melon'), [])
  })

  it('indexes lines of an earlier process when it is opened', async () => {
    await using host = opened()
    await host.index.close()
    await host.add('a', {}, { arguments: { word: 'lemon' } })
    const later = new LedgerIndex(host.store, host.ledger)
    assert.ok(await later.catchUp())
    assert.equal(searchLedger(host.store, { search: 'lemon' }).lines.length, 1)
    await later.close()
  })

  it('indexes 25 lines every 250 ms while calls go on, and every 10 ms while none is recorded', async () => {
    mock.timers.enable({ apis: ['setTimeout'] })
    try {
      await using host = opened()
      const table = new LedgerSearchTable(host.store)
      /** Last line that is indexed after so many milliseconds. */
      const after = async (ms: number) => {
        mock.timers.tick(ms)
        // what the timer began is written within a few turns, and the next one is set
        for (let turn = 0; turn < 10; turn++) await setImmediate()
        return table.upTo()
      }
      await Promise.all(Array.from({ length: 100 }, (_, act) => host.add(`a${act}`, {})))
      assert.deepEqual([await after(249), await after(1)], [0, 25])
      // a slow machine waits longer, so that all batches take 2 % of the time
      assert.deepEqual([await after(249), await after(60_000)], [25, 50])
      assert.deepEqual([await after(9), await after(1)], [50, 75])
      await host.add('later', {})
      assert.deepEqual([await after(9), await after(1)], [75, 100])
      assert.deepEqual([await after(249), await after(60_000)], [100, 101])
    } finally {
      mock.timers.reset()
    }
  })

  it('says that lines are missing when a search cannot wait for all of them', async () => {
    await using host = opened()
    await host.index.close()
    await Promise.all(Array.from({ length: 4_001 }, (_, act) => host.add(`a${act}`, {})))
    // an hour: the search alone makes it go on
    const later = new LedgerIndex(host.store, host.ledger, { everyMs: 3_600_000 })
    assert.equal(await later.catchUp(), false)
    assert.ok(await later.catchUp())
    await later.close()
  })
})

describe('prepareSearch', () => {
  it('where words cannot be searched, empties the index; payloads are forgotten, and the index is made anew', async () => {
    await using host = opened()
    await host.add('a', {}, { arguments: { customer: 'Miller' } })
    await host.add('b', {}, { arguments: { customer: 'Miller' } })
    assert.deepEqual(await host.found('miller'), ['b', 'a'])
    const { database } = host.store
    const words = () => database.prepare('SELECT count(*) AS count FROM ledger_search_data').get()?.count
    // where there is no full-text search, its tables are as any other
    database.enableDefensive(false)
    prepareSearch(database, false)
    assert.equal(words(), 0)
    database.exec('DELETE FROM ledger_payload WHERE line = 1')
    prepareSearch(database)
    assert.deepEqual(await host.found('miller'), ['b'])
    database.exec('DELETE FROM ledger_payload')
    assert.deepEqual(await host.found('miller'), [])
  })
})
