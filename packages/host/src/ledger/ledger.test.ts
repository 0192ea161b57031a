import assert from 'node:assert/strict'
import { join } from 'node:path'
import { describe, it } from 'node:test'
import { exported } from '../../test/exported.ts'
import { temporaryFolder } from '../../test/temporary-folder.ts'
import { openStore } from '../store/store.ts'
import { ledgerTables } from '../store/tables/ledger-tables.ts'
import { chainHash } from './chain.ts'
import { verifyExport } from './export.ts'
import { Ledger } from './ledger.ts'
import { callsSince, queryLedger } from './query.ts'

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

function assertWhole(ledger: Ledger, expected: number): void {
  const { lines, broken } = ledger.verify()
  assert.deepEqual({ lines, broken }, { lines: expected, broken: undefined })
}

describe('Ledger', () => {
  it('holds together, however many lines one turn brought', async () => {
    await using host = await opened()
    await Promise.all(
      Array.from({ length: 100 }, (_, index) => host.ledger.append({ kind: 'began', act: `a${index}` })),
    )
    await host.ledger.decide({ kind: 'decided', by: 'terminal', outcome: 'allowed' })
    assertWhole(host.ledger, 101)
  })

  it('gives a line the time at which it was appended, however late its turn is written', async (t) => {
    await using host = await opened()
    const happened = Date.now() - 60_000
    t.mock.timers.enable({ apis: ['Date'], now: happened })
    const appended = host.ledger.append({ kind: 'ended', act: 'one', outcome: 'ok' }, { level: 'full', result: {} })
    t.mock.timers.reset()
    await appended
    assert.deepEqual(
      queryLedger(host.store).map(({ at }) => at),
      [happened],
    )
    assertWhole(host.ledger, 1)
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
    [
      'lines taken from the end',
      'DELETE FROM ledger_line WHERE number > 3',
      /lines 4 to 5 were signed and are missing/,
    ],
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
    assertWhole(again.ledger, 3)
  })

  it('holds together when a decision and other lines are written in the same turn', async () => {
    await using host = await opened()
    for (let turn = 0; turn < 3; turn++) {
      const decided = host.ledger.decide({ kind: 'decided' })
      await Promise.all([decided, host.ledger.append({ kind: 'ended' }), host.ledger.append({ kind: 'ended' })])
    }
    assertWhole(host.ledger, 9)
  })

  it('goes on after a turn that could not be committed', async () => {
    await using host = await withLines(2)
    const { database } = host.store
    database.exec(`CREATE TRIGGER full BEFORE INSERT ON ledger_line BEGIN SELECT RAISE(ROLLBACK, 'full'); END`)
    await assert.rejects(host.ledger.append({ kind: 'began' }))
    database.exec('DROP TRIGGER full')
    await host.ledger.append({ kind: 'began' })
    assertWhole(host.ledger, 3)
  })

  it('is pruned at a signed checkpoint and still verifies; a forged checkpoint is noticed', async () => {
    await using host = await withLines(4)
    assert.equal(await host.ledger.prune(Date.now() + 1_000), 4)
    await host.ledger.append({ kind: 'began' })
    assertWhole(host.ledger, 1)
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

describe('verifyExport', () => {
  it('finds an export whole by itself, and names the key', async () => {
    await using host = await withLines(3)
    const { lines, broken, tip } = verifyExport(await exported(host.ledger))
    assert.deepEqual(
      { lines, broken, key: tip?.publicKey },
      { lines: 3, broken: undefined, key: host.ledger.verify().publicKey },
    )
  })

  it('finds an export whole that begins where older lines were removed, and one without lines', async () => {
    await using host = await withLines(3)
    await host.ledger.prune(Date.now() + 1_000)
    assert.equal(verifyExport(await exported(host.ledger)).broken, undefined)
    await host.ledger.append({ kind: 'began' })
    const { broken, lines } = verifyExport(await exported(host.ledger))
    assert.deepEqual({ broken, lines }, { broken: undefined, lines: 1 })
  })

  for (const [what, alter, message] of [
    ['an altered line', (lines) => lines.map((line) => line.replace('act-2', 'act-9')), /line 2 was altered/],
    ['a line taken out', (lines) => lines.toSpliced(1, 1), /line 2 is missing/],
    ['lines taken from its beginning', (lines) => lines.slice(1), /signed from line 1 on and begins with 2/],
    ['lines taken from its end', (lines) => lines.toSpliced(2, 1), /signed up to line 3 and ends with 2/],
    ['all lines taken out', (lines) => lines.slice(-1), /signed from line 1 on/],
    [
      'an altered signature',
      (lines) => lines.map((line) => line.replace('"at":1', '"at":2')),
      /signature is not by the key/,
    ],
    ['hashes that were computed again', rechained, /line 3 or one before it is not the one that was signed/],
  ] as readonly (readonly [string, (lines: readonly string[]) => readonly string[], RegExp])[]) {
    it(`notices ${what}`, async () => {
      await using host = await withLines(3)
      const lines = await exported(host.ledger)
      const altered =
        what === 'an altered signature' ? [...lines.slice(0, -1), ...alter(lines.slice(-1))] : alter(lines)
      assert.match(verifyExport(altered).broken?.why ?? '', message)
    })
  }
})

/** Alters the second line, and computes all hashes from there on again. */
function rechained(lines: readonly string[]): readonly string[] {
  let previous = ''
  return lines.map((text, index) => {
    const line = JSON.parse(text)
    if (line.tip) return text
    const altered = { ...line, text: index === 1 ? line.text.replace('act-2', 'act-9') : line.text }
    if (index > 0) altered.previous = previous
    previous = chainHash(altered.number, altered.at, altered.text, altered.previous)
    return JSON.stringify({ ...altered, hash: previous })
  })
}

describe('queryLedger', () => {
  it('finds lines by their content, newest first, page by page', async () => {
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
