import assert from 'node:assert/strict'
import { generateKeyPairSync } from 'node:crypto'
import { readFileSync, rmSync, statSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { DatabaseSync } from 'node:sqlite'
import { describe, it } from 'node:test'
import { until } from '../../../../tools/lib/until.ts'
import { soon } from '../../../mcp/test/soon.ts'
import { temporaryFolder } from '../../test/temporary-folder.ts'
import { openStore } from '../store/store.ts'
import { ledgerTables } from '../store/tables/ledger-tables.ts'
import { chainHash } from './chain.ts'
import { Ledger, type LedgerSigningOptions } from './ledger.ts'

type TemporaryFolder = ReturnType<typeof temporaryFolder>

const paths = (folder: TemporaryFolder) => ({
  store: join(folder.path, 'state.sqlite'),
  key: join(folder.path, 'ledger-key.pem'),
  tip: join(folder.path, 'ledger-tip.json'),
})

async function opened(folder: TemporaryFolder, options: LedgerSigningOptions = {}) {
  const store = openStore({ path: paths(folder).store, rooms: [ledgerTables] })
  const ledger = new Ledger(store, undefined, options)
  return {
    ledger,
    store,
    async [Symbol.asyncDispose]() {
      await ledger.close()
      await store.close()
    },
  }
}

/** A ledger of five lines in a folder, closed as a host closes it. */
async function written(folder: TemporaryFolder): Promise<void> {
  await using host = await opened(folder)
  for (let index = 1; index <= 5; index += 1) await host.ledger.append({ kind: 'ended', act: `act-${index}` })
}

/** Does something to the store while no host has it. */
function offline(folder: TemporaryFolder, work: (database: DatabaseSync) => void): void {
  using database = new DatabaseSync(paths(folder).store)
  work(database)
}

/** Alters a line and computes the hashes of it and of all after it again. */
function rechain(database: DatabaseSync, from: number): void {
  const update = database.prepare('UPDATE ledger_line SET text = ?, previous = ?, hash = ? WHERE number = ?')
  const rows = database.prepare('SELECT * FROM ledger_line WHERE number >= ? ORDER BY number').all(from)
  let previous = String(rows[0]?.previous)
  for (const { number, at, text } of rows) {
    const altered = Number(number) === from ? String(text).replace('act', 'ACT') : String(text)
    const hash = chainHash(Number(number), Number(at), altered, previous)
    update.run(altered, previous, hash, Number(number))
    previous = hash
  }
}

const otherKey = () => generateKeyPairSync('ed25519').privateKey.export({ type: 'pkcs8', format: 'pem' })

describe('Signing', () => {
  it('keeps its key outside of the store, for its owner alone', async () => {
    using folder = temporaryFolder()
    await written(folder)
    const { key, store } = paths(folder)
    assert.equal(statSync(key).mode & 0o777, 0o600)
    const body = readFileSync(key, 'utf8').split('\n')[1] ?? ''
    assert.ok(body.length > 40)
    assert.ok(!readFileSync(store, 'latin1').includes(body))
    offline(folder, (database) => {
      const names = database.prepare('SELECT name FROM ledger_key ORDER BY name').all()
      assert.deepEqual(
        names.map(({ name }) => name),
        ['digest', 'public'],
      )
    })
  })

  for (const [what, damage, message] of [
    [
      'hashes computed again',
      (at) => offline(at, (database) => rechain(database, 2)),
      /line 5 or one before it is not the one that was signed/,
    ],
    [
      'the hash of the last line computed again',
      (at) => offline(at, (database) => rechain(database, 5)),
      /line 5 or one before/,
    ],
    [
      'a tail cut off',
      (at) => offline(at, (database) => database.exec('DELETE FROM ledger_line WHERE number > 3')),
      /lines 4 to 5 were signed and are missing/,
    ],
    [
      'the last line cut off',
      (at) => offline(at, (database) => database.exec('DELETE FROM ledger_line WHERE number = 5')),
      /line 5 was signed and is missing/,
    ],
    [
      'all lines removed',
      (at) => offline(at, (database) => database.exec('DELETE FROM ledger_line')),
      /lines 1 to 5 were signed and are missing/,
    ],
    ['a store that was removed', (at) => rmSync(paths(at).store), /lines 1 to 5 were signed and are missing/],
    [
      'a replaced key',
      (at) => writeFileSync(paths(at).key, otherKey()),
      /the key SHA256:.* that signed the ledger was replaced/,
    ],
    ['a key that cannot be read', (at) => writeFileSync(paths(at).key, 'no key'), /the key SHA256:.* is gone/],
    ['a deleted key', (at) => rmSync(paths(at).key), /the key SHA256:.* that signed the ledger is gone/],
    ['a deleted tip', (at) => rmSync(paths(at).tip), /the tip beside the key is gone/],
    [
      'a tip that was set back',
      (at) => alterTip(at, '"number": 5', '"number": 3'),
      /the tip beside the key was altered/,
    ],
    ['key and tip deleted together', (at) => [paths(at).key, paths(at).tip].map((path) => rmSync(path)), /is gone/],
  ] as readonly (readonly [string, (at: TemporaryFolder) => void, RegExp])[]) {
    it(`notices ${what} while no host ran, also after lines were added and at the next start`, async () => {
      using folder = temporaryFolder()
      await written(folder)
      damage(folder)
      for (let start = 0; start < 2; start += 1) {
        await using host = await opened(folder)
        for (let count = 0; count < 10; count += 1) await host.ledger.append({ kind: 'ended' })
        assert.match(host.ledger.verify().broken?.why ?? '', message)
      }
    })
  }

  it('notices a key, a tip and hashes that are changed while the host runs', async () => {
    using folder = temporaryFolder()
    await using host = await opened(folder)
    for (let index = 1; index <= 5; index += 1) await host.ledger.append({ kind: 'ended', act: `act-${index}` })
    await host.ledger.sign()
    assert.equal(host.ledger.verify().broken, undefined)
    const key = readFileSync(paths(folder).key)
    rmSync(paths(folder).key)
    assert.match(host.ledger.verify().broken?.why ?? '', /is gone/)
    writeFileSync(paths(folder).key, key)
    rechain(host.store.database, 2)
    assert.match(host.ledger.verify().broken?.why ?? '', /is not the one that was signed/)
  })

  it('verifies the lines after a change that a person knows of', async () => {
    using folder = temporaryFolder()
    await written(folder)
    rmSync(paths(folder).key)
    await using host = await opened(folder)
    await host.ledger.append({ kind: 'ended' })
    assert.match(host.ledger.verify().broken?.why ?? '', /trunkline audit verify --after 5/)
    assert.match(host.ledger.verify({ after: 4 }).broken?.why ?? '', /is gone/)
    const { broken, unsignedUpTo } = host.ledger.verify({ after: 5 })
    assert.deepEqual({ broken, unsignedUpTo }, { broken: undefined, unsignedUpTo: 5 })
    host.store.database.exec("UPDATE ledger_line SET text = 'x' WHERE number = 6")
    assert.match(host.ledger.verify({ after: 5 }).broken?.why ?? '', /line 6 was altered/)
  })

  it('signs within its time, decisions of a person at once, and says how far', async () => {
    using folder = temporaryFolder()
    await using host = await opened(folder, { signMs: 20 })
    await host.ledger.append({ kind: 'ended' })
    assert.equal(host.ledger.verify().signedUpTo, 0)
    await until(() => host.ledger.verify().signedUpTo === 1, 'the line to be signed')
    using other = temporaryFolder()
    await using slow = await opened(other, { signMs: 3_600_000 })
    await slow.ledger.decide({ kind: 'decided' })
    await soon(
      until(() => slow.ledger.verify().signedUpTo === 1, 'the decision to be signed'),
      'the decision to be signed',
    )
  })

  it('knows whether the host before it closed', async () => {
    using folder = temporaryFolder()
    {
      await using first = await opened(folder)
      assert.equal(first.ledger.wasKilled, false)
    }
    const killed = await opened(folder)
    assert.equal(killed.ledger.wasKilled, false)
    await killed.store.close()
    await using next = await opened(folder)
    assert.equal(next.ledger.wasKilled, true)
  })

  it('goes on where it was killed before it could sign, and signs that', async () => {
    using folder = temporaryFolder()
    await written(folder)
    const killed = await opened(folder)
    await killed.ledger.append({ kind: 'ended' })
    assert.equal(killed.ledger.verify().signedUpTo, 5)
    await killed.store.close()
    await using next = await opened(folder)
    const { broken, signedUpTo } = next.ledger.verify()
    assert.deepEqual({ broken, signedUpTo }, { broken: undefined, signedUpTo: 6 })
  })

  it('is still whole when lines up to the tip were removed for their age', async () => {
    using folder = temporaryFolder()
    await written(folder)
    {
      await using host = await opened(folder)
      await host.ledger.append({ kind: 'ended' })
      assert.equal(await host.ledger.prune(Date.now() + 1_000), 6)
      assert.equal(host.ledger.verify().broken, undefined)
    }
    await using host = await opened(folder)
    await host.ledger.append({ kind: 'ended' })
    assert.equal(host.ledger.verify().broken, undefined)
  })

  it('tells a failure to write the tip', async () => {
    using folder = temporaryFolder()
    const errors: unknown[] = []
    await using host = await opened(folder, { onError: (error) => errors.push(error) })
    await host.ledger.append({ kind: 'ended' })
    rmSync(folder.path, { recursive: true })
    writeFileSync(folder.path, 'a file stands where the folder was')
    await host.ledger.sign()
    assert.equal(errors.length, 1)
    rmSync(folder.path)
  })
})

function alterTip(folder: TemporaryFolder, from: string, to: string): void {
  const { tip } = paths(folder)
  const text = readFileSync(tip, 'utf8')
  assert.ok(text.includes(from))
  writeFileSync(tip, text.replace(from, to))
}
