import assert from 'node:assert/strict'
import { join } from 'node:path'
import { describe, it } from 'node:test'
import { exported } from '../../test/exported.ts'
import { temporaryFolder } from '../../test/temporary-folder.ts'
import { Inbox } from '../inbox/inbox.ts'
import { verifyExport } from '../ledger/export.ts'
import { Ledger } from '../ledger/ledger.ts'
import { deferred } from '../relay/deferred.ts'
import { Spills } from '../relay/spills/spills.ts'
import { Outcomes } from '../relay/terms/outcomes.ts'
import { openStore, type Store } from '../store/store.ts'
import { inboxTables } from '../store/tables/inbox-tables.ts'
import { ledgerTables } from '../store/tables/ledger-tables.ts'
import { outcomeTables } from '../store/tables/outcome-table.ts'
import { spillTables } from '../store/tables/spill-table.ts'
import { Retention, type RetentionOptions } from './retention.ts'

const dayMs = 24 * 3_600_000

function opened(options: RetentionOptions = {}) {
  const folder = temporaryFolder()
  const store = openStore({
    path: join(folder.path, 'test.db'),
    rooms: [ledgerTables, inboxTables, spillTables, outcomeTables],
  })
  const parts = {
    store,
    ledger: new Ledger(store),
    inbox: new Inbox(store),
    spills: new Spills(store),
    outcomes: new Outcomes(store),
  }
  const retention = new Retention(parts, options)
  return {
    ...parts,
    retention,
    async [Symbol.asyncDispose]() {
      await retention.stop()
      parts.inbox.close()
      await store.close()
      folder[Symbol.dispose]()
    },
  }
}

/** Records an act whose arguments are kept. */
function keep({ ledger }: { readonly ledger: Ledger }, act: string, value: unknown = 'x'): Promise<void> {
  return ledger.append({ kind: 'ended', act, server: 'files' }, { level: 'full', arguments: value })
}
/** Counts the rows of a table. */
function left({ store }: { readonly store: Store }, table: string): number {
  return Number(store.database.prepare(`SELECT count(*) AS rows FROM ${table}`).get()?.rows)
}

const days = { keepDays: 14, maxMb: 512, chainDays: 365 }

describe('Retention', () => {
  it('ledger.keepDays: arguments and results go by age, the chain stays and verifies', async () => {
    await using host = opened()
    for (let index = 0; index < 2_500; index++) void keep(host, `act-${index}`)
    await keep(host, 'last')
    await host.retention.prune(Date.now() + 13 * dayMs)
    assert.notDeepEqual(host.ledger.payloads.of('act-0'), {})
    await host.retention.prune(Date.now() + 15 * dayMs)
    assert.deepEqual([host.ledger.payloads.of('act-0'), host.ledger.payloads.of('last')], [{}, {}])
    assert.equal(host.ledger.payloads.totalBytes, 0)
    assert.partialDeepStrictEqual(host.ledger.verify(), { lines: 2_501, broken: undefined })
  })

  it('ledger.maxMb: the oldest go first, also when the limit becomes smaller', async () => {
    await using host = opened()
    const text = 'y'.repeat(300_000)
    for (let index = 0; index < 10; index++) await keep(host, `act-${index}`, text)
    await host.retention.prune()
    assert.notDeepEqual(host.ledger.payloads.of('act-0'), {})
    host.retention.limits = { ...days, maxMb: 1 }
    await host.retention.prune()
    assert.ok(host.ledger.payloads.totalBytes <= 1024 ** 2, String(host.ledger.payloads.totalBytes))
    assert.deepEqual(host.ledger.payloads.of('act-6'), {})
    assert.notDeepEqual(host.ledger.payloads.of('act-7'), {})
    await keep(host, 'more', text)
    assert.ok(host.ledger.payloads.totalBytes <= 1024 ** 2, String(host.ledger.payloads.totalBytes))
  })

  it('ledger.chainDays: the chain is cut at a signed checkpoint, with all that belongs to it, goes on, and verifies', async () => {
    await using host = opened()
    host.retention.limits = { ...days, keepDays: 1_000 }
    for (let index = 0; index < 2_500; index++) void keep(host, `act-${index}`)
    await host.ledger.append({ kind: 'ended', act: 'last' })
    const before = await exported(host.ledger)
    await host.retention.prune(Date.now() + 364 * dayMs)
    assert.equal(host.ledger.verify().lines, 2_501)
    await host.retention.prune(Date.now() + 366 * dayMs)
    assert.partialDeepStrictEqual(host.ledger.verify(), { lines: 0, broken: undefined })
    assert.deepEqual([left(host, 'ledger_time_mark'), left(host, 'ledger_payload')], [0, 0])
    assert.equal(host.ledger.payloads.totalBytes, 0)
    await host.ledger.append({ kind: 'ended', act: 'next' })
    assert.partialDeepStrictEqual(host.ledger.verify(), { lines: 1, broken: undefined })
    assert.equal([...host.ledger.lines()][0]?.number, 2_502)
    assert.equal(verifyExport(before).broken, undefined)
    host.store.database.exec('UPDATE ledger_checkpoint SET number = number + 1, hash = hash')
    assert.match(host.ledger.verify().broken?.why ?? '', /forged/)
  })

  it('the chain is cut only where everything before is old, whatever a clock wrote in between', async (t) => {
    t.mock.timers.enable({ apis: ['Date'], now: 1_000 * dayMs })
    await using host = opened()
    await host.ledger.append({ kind: 'ended', act: 'new' })
    t.mock.timers.setTime(10 * dayMs)
    await host.ledger.append({ kind: 'ended', act: 'by a clock that went back' })
    t.mock.timers.setTime(1_001 * dayMs)
    await host.retention.prune()
    assert.partialDeepStrictEqual(host.ledger.verify(), { lines: 2, broken: undefined })
  })

  it('settled questions go with the arguments that they hold, open ones and refused definitions stay', async () => {
    await using host = opened()
    const asked = { server: 'files', target: 'write', principal: 'editor', principalId: 'e', project: undefined }
    const ask = (kind: 'call' | 'definition', key: string) =>
      host.inbox.ask({ ...asked, kind, key, why: '', detail: {}, by: undefined, openMs: 100 * dayMs })
    const questions = [await ask('call', 'a'), await ask('definition', 'b'), await ask('call', 'open')]
    for (const { question } of questions.slice(0, 2)) {
      await host.inbox.answer(question.id, { choice: 'refuse', by: 'terminal' }, { isLocal: true })
    }
    await host.retention.prune(Date.now() + 15 * dayMs)
    assert.equal(host.inbox.wasRefused('a'), false)
    assert.equal(host.inbox.wasRefused('b'), true)
    assert.equal(host.inbox.open.length, 1)
  })

  it('nothing goes because a clock jumps ahead; records that are old at the next look do', async (t) => {
    t.mock.timers.enable({ apis: ['Date'], now: 1_000 * dayMs })
    let looks = 0
    const looked = [deferred<void>(), deferred<void>()]
    await using host = opened({ firstMs: 1, everyMs: 1, onPruned: () => looked[looks++]?.resolve() })
    await keep(host, 'a')
    t.mock.timers.setTime(1_100 * dayMs)
    const whatWasThere = looked[0]?.promise.then(() => host.ledger.payloads.of('a'))
    host.retention.start()
    assert.notDeepEqual(await whatWasThere, {})
    await looked[1]?.promise
    assert.deepEqual(host.ledger.payloads.of('a'), {})
  })
})
