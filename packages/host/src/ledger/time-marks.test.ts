import assert from 'node:assert/strict'
import { join } from 'node:path'
import { describe, it } from 'node:test'
import { temporaryFolder } from '../../test/temporary-folder.ts'
import { openStore } from '../store/store.ts'
import { ledgerTables } from '../store/tables/ledger-tables.ts'
import { TimeMarkTable } from '../store/tables/time-mark-table.ts'
import { Ledger } from './ledger.ts'
import { callsSince, queryLedger } from './query.ts'

function opened() {
  const folder = temporaryFolder()
  const store = openStore({ path: join(folder.path, 'test.db'), rooms: [ledgerTables] })
  return {
    store,
    async [Symbol.asyncDispose]() {
      await store.close()
      folder[Symbol.dispose]()
    },
  }
}

describe('TimeMarks', () => {
  it('bounds a search by time, and finds every line, also where a clock went back', async (t) => {
    t.mock.timers.enable({ apis: ['Date'], now: 0 })
    await using host = opened()
    let ledger = new Ledger(host.store)
    const times = [...count(1_000), ...count(300).map((at) => at + 5_000), ...count(1_000).map((at) => at + 1_000)]
    for (const [index, at] of times.entries()) {
      t.mock.timers.setTime(at)
      // a host that is started anew goes on with the latest time it finds
      if (index === 1_400) ledger = new Ledger(host.store)
      await ledger.append({ kind: 'ended', actKind: 'call', server: 'files', target: 'read', act: String(at) })
    }
    for (const since of [0, 1, 255, 256, 257, 999, 1_500, 2_000, 5_000, 5_299, 6_000]) {
      const expected = times.filter((at) => at >= since)
      assert.equal(callsSince(host.store, since).get('files')?.get('read') ?? 0, expected.length, `since ${since}`)
      const found = queryLedger(host.store, { since, most: 1_000 }).map(({ line }) => Number(line.act))
      assert.deepEqual(found, expected.reverse().slice(0, 1_000), `since ${since}`)
    }
    assert.ok(new TimeMarkTable(host.store).lineBefore(999) >= 768)
    assert.equal(new TimeMarkTable(host.store).lineBefore(0), 0)
    // lines written by a clock ahead of its time keep all later lines within reach
    assert.equal(new TimeMarkTable(host.store).lineBefore(5_000), 1_024 - 256)
  })
})

function count(numbers: number): number[] {
  return Array.from({ length: numbers }, (_, index) => index)
}
