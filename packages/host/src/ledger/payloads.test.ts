import assert from 'node:assert/strict'
import { join } from 'node:path'
import { describe, it } from 'node:test'
import { temporaryFolder } from '../../test/temporary-folder.ts'
import { openStore, type StoreOptions } from '../store/store.ts'
import { ledgerTables } from '../store/tables/ledger-tables.ts'
import { Ledger } from './ledger.ts'
import { type Payload, type PayloadLimits, Payloads } from './payloads.ts'

function opened(limits: PayloadLimits = {}, options: Partial<StoreOptions> = {}) {
  const folder = temporaryFolder()
  const path = join(folder.path, 'test.db')
  const store = openStore({ path, rooms: [ledgerTables], ...options })
  const payloads = new Payloads(store, limits)
  const ledger = new Ledger(store, payloads)
  const keep = (act: string, payload: Payload) => ledger.append({ kind: 'ended', act, server: 'files' }, payload)
  return {
    ...{ path, store, ledger, payloads, keep },
    async [Symbol.asyncDispose]() {
      await store.close()
      folder[Symbol.dispose]()
    },
  }
}

const full = (value: unknown): Payload => ({ level: 'full', arguments: value })

describe('Payloads', () => {
  it('keeps payloads as the level permits, without secrets', async () => {
    await using host = opened()
    const value = { path: '/x', api_key: 'abc', header: 'Bearer abcdefghijk' }
    for (const level of ['full', 'shape', 'off'] as const) await host.keep(level, { level, arguments: value })
    assert.deepEqual(host.payloads.of('full').arguments, { path: '/x', api_key: '[masked]', header: 'Bearer [masked]' })
    assert.deepEqual(host.payloads.of('shape').arguments, {
      path: 'string of 2',
      api_key: 'string of 3',
      header: 'string of 18',
    })
    assert.deepEqual(host.payloads.of('off'), {})
  })

  it('keeps both parts of an act, with one line or with several, each part within its limit; the last word counts', async () => {
    await using host = opened({ maxPayloadBytes: 1_000 })
    const [given, result] = [{ path: '/x' }, { text: 'y'.repeat(2_000) }]
    await host.keep('one', { level: 'full', arguments: given, result })
    await host.keep('two', full({ path: '/before' }))
    await host.keep('two', { level: 'full', arguments: given, result })
    await host.keep('three', full(given))
    await host.keep('three', { level: 'full', result })
    const kept = { arguments: given, result: { text: 'string of 2000' } }
    assert.deepEqual(
      ['one', 'two', 'three'].map((act) => host.payloads.of(act)),
      [kept, kept, kept],
    )
  })

  it('forgets the oldest beyond the total, counted with the cost of a row, and the chain still verifies', async () => {
    await using host = opened({ maxTotalBytes: 10_000 })
    for (let index = 0; index < 100; index++) await host.keep(`act-${index}`, full('x'.repeat(300)))
    assert.ok(host.payloads.totalBytes <= 10_000, String(host.payloads.totalBytes))
    assert.deepEqual(host.payloads.of('act-0'), {})
    assert.notDeepEqual(host.payloads.of('act-99'), {})
    assert.equal(host.ledger.verify().broken, undefined)
  })

  it('keeps only the shape of a payload that is too large, and forgets a server on request', async () => {
    await using host = opened({ maxPayloadBytes: 1_000 })
    await host.keep('large', full('x'.repeat(5_000)))
    assert.equal(host.payloads.of('large').arguments, 'string of 5000')
    assert.equal(await host.payloads.forget({ server: 'files' }), 1)
    assert.equal(host.payloads.totalBytes, 0)
  })

  it('where the store has no room for a payload, its line is written all the same, and so are those beside it', async () => {
    await using host = opened({}, { maxBytes: 1024 ** 2 })
    const large = full('x'.repeat(400_000))
    for (const act of ['one', 'two']) await host.keep(act, large)
    await Promise.all([host.keep('beside', full('y')), host.keep('three', large)])
    assert.deepEqual([host.payloads.of('beside'), host.payloads.of('three')], [{}, {}])
    assert.notDeepEqual(host.payloads.of('two'), {})
    assert.partialDeepStrictEqual(host.ledger.verify(), { lines: 4, broken: undefined })
    assert.equal(host.payloads.totalBytes, new Payloads(host.store).totalBytes)
    await host.keep('four', full('z'))
    assert.deepEqual(host.payloads.of('four').arguments, 'z')
  })

  it('knows the total after a start, after a removal and after a write that was taken back', async () => {
    await using host = opened()
    const total = () =>
      Number(host.store.database.prepare('SELECT total(bytes) AS bytes FROM ledger_payload').get()?.bytes)
    const kept = Array.from({ length: 2_500 }, (_, index) => host.keep(`act-${index}`, full('x'.repeat(index))))
    await Promise.all(kept)
    assert.equal(host.payloads.totalBytes, total())
    assert.equal(new Payloads(host.store).totalBytes, total())
    host.payloads.limits = { maxTotalBytes: 1_000_000 }
    await host.payloads.prune()
    assert.ok(total() <= 1_000_000, String(total()))
    assert.equal(new Payloads(host.store).totalBytes, total())

    host.store.database.exec(`CREATE TEMP TRIGGER full BEFORE INSERT ON ledger_line WHEN new.act = 'last'
      BEGIN SELECT RAISE(ABORT, 'no more'); END`)
    await assert.rejects(Promise.all([host.keep('first', full('y')), host.keep('last', full('y'))]), /no more/)
    assert.equal(host.payloads.totalBytes, total())
    assert.deepEqual(host.payloads.of('first'), {})
  })
})

describe('The tables of the ledger', () => {
  it('payloads of an older store are kept with the last line of their act', async () => {
    using folder = temporaryFolder()
    const path = join(folder.path, 'test.db')
    const older = openStore({ path, rooms: [{ room: ledgerTables.room, steps: ledgerTables.steps.slice(0, 3) }] })
    older.database.exec(
      `WITH RECURSIVE counted (value) AS (SELECT 1 UNION ALL SELECT value + 1 FROM counted WHERE value < 600)
       INSERT INTO ledger_line (number, at, text, previous, hash, act, kind)
         SELECT value, 1000 + value, '{}', '', '', 'act-' || (value / 2), 'ended' FROM counted;
       INSERT INTO ledger_payload (act, part, at, server, text, bytes) VALUES
         ('act-1', 'both', 5, 'files', '{"arguments":{"a":1},"result":{"b":2}}', 240),
         ('act-2', 'arguments', 5, 'files', '{"a":1}', 210), ('act-2', 'result', 6, 'files', '{"b":2}', 210),
         ('act-3', 'arguments', 7, 'files', '{"a":1}', 210), ('nobody', 'arguments', 7, 'files', '{}', 202)`,
    )
    await older.close()
    await using store = openStore({ path, rooms: [ledgerTables] })
    const payloads = new Payloads(store)
    assert.deepEqual(payloads.of('act-1'), { arguments: { a: 1 }, result: { b: 2 } })
    assert.deepEqual(payloads.of('act-2'), { arguments: { a: 1 }, result: { b: 2 } })
    assert.deepEqual(payloads.of('act-3'), { arguments: { a: 1 } })
    assert.equal(payloads.totalBytes, 240 + 420 + 210)
    const marks = store.database.prepare('SELECT number, latest FROM ledger_time_mark').all()
    assert.deepEqual(
      marks.map((mark) => ({ ...mark })),
      [
        { number: 256, latest: 1_256 },
        { number: 512, latest: 1_512 },
      ],
    )
  })
})
