import assert from 'node:assert/strict'
import { join } from 'node:path'
import { test } from 'node:test'
import { temporaryFolder } from '../../test/temporary-folder.ts'
import { openStore } from '../store/store.ts'
import { ledgerTables } from '../store/tables/ledger-tables.ts'
import { callStatistics } from './call-statistics.ts'
import { Ledger } from './ledger.ts'
import type { Line } from './line.ts'

function opened() {
  const folder = temporaryFolder()
  const store = openStore({ path: join(folder.path, 'test.db'), rooms: [ledgerTables] })
  const ledger = new Ledger(store)
  return {
    store,
    async add(at: number, line: Partial<Line>) {
      const kind = line.kind === 'decided' ? {} : { actKind: 'call' }
      await ledger.append({ kind: 'ended', ...kind, act: `at ${at}`, server: 's', principal: 'p', ...line })
      store.database
        .prepare('UPDATE ledger_line SET at = ? WHERE number = (SELECT max(number) FROM ledger_line)')
        .run(at)
    },
    async [Symbol.asyncDispose]() {
      await store.close()
      folder[Symbol.dispose]()
    },
  }
}

test('callStatistics: durations have no waits for a person, and what was cancelled or refused has not failed', async () => {
  await using host = opened()
  await host.add(60_500, { outcome: 'ok', ms: 20 })
  await host.add(90_000, { kind: 'decided', act: 'asked', question: 'q', ms: 30_000 })
  await host.add(90_040, { act: 'asked', outcome: 'ok', ms: 30_040 })
  await host.add(90_500, { outcome: 'error', ms: 10 })
  await host.add(91_000, { outcome: 'cancelled', ms: 5 })
  await host.add(91_500, { kind: 'refused', outcome: 'denied', ms: 1 })
  await host.add(91_600, { kind: 'refused', outcome: 'waiting', ms: 45_000 })
  await host.add(91_700, { actKind: 'read', outcome: 'ok', ms: 9_000 })
  const counted = await callStatistics(host.store, { since: 60_000, until: 120_000 })
  assert.deepEqual([counted.stepMs, counted.at[1], counted.isWhole], [1_000, 61_000, true])
  assert.deepEqual([counted.calls[0], counted.calls[30], counted.calls[31], counted.failed[30]], [1, 2, 1, 1])
  assert.deepEqual([counted.p50[0], counted.p95[30], counted.p50[1]], [20, 40, null])
  assert.deepEqual(counted.all, { calls: 4, failed: 1, p50: 20, p95: 40 })
  const others = await callStatistics(host.store, { since: 60_000, until: 120_000, server: 'other' })
  assert.deepEqual(others.all, { calls: 0, failed: 0, p50: null, p95: null })
})
