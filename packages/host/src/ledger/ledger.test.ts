import assert from 'node:assert/strict'
import { join } from 'node:path'
import { describe, it } from 'node:test'
import { temporaryFolder } from '../../test/temporary-folder.ts'
import { openStore } from '../store/store.ts'
import { exportLedger, verifyExport } from './export.ts'
import { Ledger } from './ledger.ts'
import { callsSince, queryLedger } from './query.ts'
import { ledgerTables } from './tables.ts'

async function opened(path?: string) {
  const folder = path === undefined ? temporaryFolder() : undefined
  const file = path ?? join(folder?.path ?? '', 'state.sqlite')
  const store = openStore({ path: file, rooms: [ledgerTables] })
  const ledger = new Ledger(store)
  return {
    file,
    store,
    ledger,
    async [Symbol.asyncDispose]() {
      await store.close()
      folder?.[Symbol.dispose]()
    },
  }
}

async function withLines(count: number) {
  const host = await opened()
  for (let index = 1; index <= count; index++) {
    const act = { act: `act-${index}`, actKind: 'call', server: 'files', target: 'read' }
    await host.ledger.append({ kind: 'ended', ...act, outcome: 'ok' })
  }
  return host
}

describe('Ledger', () => {
  it('holds together, however many lines one turn brought', async () => {
    await using host = await opened()
    await Promise.all(
      Array.from({ length: 100 }, (_, index) => host.ledger.append({ kind: 'began', act: `a${index}` })),
    )
    await host.ledger.decide({ kind: 'decided', by: 'terminal', outcome: 'allowed' })
    assert.deepEqual(host.ledger.verify(), { lines: 101, broken: undefined })
  })

  for (const [what, sql, message] of [
    [
      'an altered text',
      `UPDATE ledger_line SET text = replace(text, 'ok', 'no') WHERE number = 3`,
      /line 3 was altered/,
    ],
    ['an altered time', 'UPDATE ledger_line SET at = at + 1 WHERE number = 2', /line 2 was altered/],
    ['a line taken out', 'DELETE FROM ledger_line WHERE number = 2', /line 2 is missing/],
    ['the first line taken out', 'DELETE FROM ledger_line WHERE number = 1', /line 1 is missing/],
    ['lines taken from the end', 'DELETE FROM ledger_line WHERE number > 3', /line 4 and all after it are missing/],
  ] as const) {
    it(`notices ${what}`, async () => {
      await using host = await withLines(5)
      host.store.database.exec(sql)
      assert.match(host.ledger.verify().broken?.why ?? '', message)
    })
  }

  it('goes on after it was closed and opened again', async () => {
    await using host = await withLines(2)
    await host.store.close()
    await using again = await opened(host.file)
    await again.ledger.append({ kind: 'began' })
    assert.deepEqual(again.ledger.verify(), { lines: 3, broken: undefined })
  })

  it('holds together when a decision and other lines are written in the same turn', async () => {
    await using host = await opened()
    for (let turn = 0; turn < 3; turn++) {
      const decided = host.ledger.decide({ kind: 'decided' })
      await Promise.all([decided, host.ledger.append({ kind: 'ended' }), host.ledger.append({ kind: 'ended' })])
    }
    assert.deepEqual(host.ledger.verify(), { lines: 9, broken: undefined })
  })

  it('goes on after a turn that could not be committed', async () => {
    await using host = await withLines(2)
    const { database } = host.store
    database.exec(`CREATE TRIGGER full BEFORE INSERT ON ledger_line BEGIN SELECT RAISE(ROLLBACK, 'full'); END`)
    await assert.rejects(host.ledger.append({ kind: 'began' }))
    database.exec('DROP TRIGGER full')
    await host.ledger.append({ kind: 'began' })
    assert.deepEqual(host.ledger.verify(), { lines: 3, broken: undefined })
  })

  it('is pruned at a signed checkpoint and still verifies; a forged checkpoint is noticed', async () => {
    await using host = await withLines(4)
    assert.equal(await host.ledger.prune(Date.now() + 1_000), 4)
    await host.ledger.append({ kind: 'began' })
    assert.deepEqual(host.ledger.verify(), { lines: 1, broken: undefined })
    host.store.database.exec(`UPDATE ledger_checkpoint SET hash = '${'1'.repeat(64)}'`)
    assert.match(host.ledger.verify().broken?.why ?? '', /checkpoint at line 4 is forged/)
  })

  it('keeps the newest thousand checkpoints', async () => {
    await using host = await withLines(1)
    const { database } = host.store
    const older = database.prepare("INSERT INTO ledger_checkpoint (number, at, hash, signature) VALUES (?, 0, '', '')")
    await host.store.batch(() => {
      for (let number = -1_500; number < 0; number += 1) older.run(number)
    })
    await host.ledger.prune(Date.now() + 1_000)
    const kept = database.prepare('SELECT count(*) AS count, min(number) AS oldest FROM ledger_checkpoint').get()
    assert.deepEqual({ ...kept }, { count: 1_000, oldest: -999 })
  })

  it('recognises equal values by a digest that needs the key of the store', async () => {
    await using host = await opened()
    await using other = await opened()
    assert.equal(host.ledger.digest({ a: 1, b: 2 }), host.ledger.digest({ b: 2, a: 1 }))
    assert.notEqual(host.ledger.digest({ a: 1 }), other.ledger.digest({ a: 1 }))
  })
})

describe('exportLedger', () => {
  it('keeps the chain, so that an export can be verified by itself', async () => {
    await using host = await withLines(3)
    const lines = [...exportLedger(host.ledger)]
    assert.deepEqual(verifyExport(lines), { lines: 3, broken: undefined })
    const altered = lines.map((line, index) => (index === 1 ? line.replace('files', 'mails') : line))
    assert.match(verifyExport(altered).broken?.why ?? '', /line 2 was altered/)
    assert.match(verifyExport(lines.toSpliced(1, 1)).broken?.why ?? '', /line 2 is missing/)
  })
})

describe('queryLedger', () => {
  it('finds lines by what they say, newest first, page by page', async () => {
    await using host = await withLines(5)
    await host.ledger.append({ kind: 'refused', server: 'mail', outcome: 'denied' })
    assert.equal(queryLedger(host.store, { server: 'mail' })[0]?.line.outcome, 'denied')
    const [first, second] = queryLedger(host.store, { server: 'files', most: 2 })
    assert.deepEqual([first?.line.act, second?.line.act], ['act-5', 'act-4'])
    const [third] = queryLedger(host.store, { server: 'files', before: second?.number ?? 0 })
    assert.equal(third?.line.act, 'act-3')
    assert.equal(callsSince(host.store, 0).get('files')?.get('read'), 5)
  })
})
