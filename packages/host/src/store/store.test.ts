import assert from 'node:assert/strict'
import { chmodSync, closeSync, mkdirSync, openSync, statSync, writeFileSync, writeSync } from 'node:fs'
import { join } from 'node:path'
import { DatabaseSync } from 'node:sqlite'
import { test } from 'node:test'
import { lacking } from '../../../../tools/lib/needs.ts'
import { inserter, numbers, numbersIn, openNumbers } from '../../test/store/numbers.ts'
import { temporaryFolder } from '../../test/temporary-folder.ts'
import { openStore } from './store.ts'

/** Windows keeps no modes of files. */
const noModes = { skip: lacking('posix', process.platform !== 'win32') }

test('openStore: the folder and the file are closed to others', noModes, async () => {
  using folder = temporaryFolder()
  const path = join(folder.path, 'state', 'trunkline.db')
  await using store = openNumbers(path)
  await store.batch(() => inserter(store)(1))
  const modes = [join(folder.path, 'state'), path, `${path}-wal`, `${path}.pid`].map(
    (one) => statSync(one).mode & 0o777,
  )
  assert.deepEqual(modes, [0o700, 0o600, 0o600, 0o600])
})

test('openStore: a file that others could read is closed to them', noModes, async () => {
  using folder = temporaryFolder()
  const path = join(folder.path, 'a.db')
  writeFileSync(path, '')
  chmodSync(path, 0o644)
  await using _store = openNumbers(path)
  assert.equal(statSync(path).mode & 0o777, 0o600)
})

test('openStore: rows written are there the next time', async () => {
  using folder = temporaryFolder()
  const path = join(folder.path, 'a.db')
  {
    await using store = openNumbers(path)
    void store.batch(() => inserter(store)(7))
  }
  await using again = openNumbers(path)
  assert.deepEqual(numbersIn(again), [7])
  assert.deepEqual(again.check(), [])
})

test('openStore: a second opening in the same process is refused', async () => {
  using folder = temporaryFolder()
  const path = join(folder.path, 'a.db')
  await using store = openNumbers(path)
  assert.throws(() => openNumbers(path), { code: 'Locked', message: /this process is using it; stop that one/ })
  await store.batch(() => inserter(store)(1))
})

test('openStore: a database that a newer program wrote is refused and not touched', async () => {
  using folder = temporaryFolder()
  const path = join(folder.path, 'a.db')
  const newer = { room: 'numbers', steps: [...numbers.steps, 'CREATE TABLE later (value INTEGER) STRICT'] }
  await openStore({ path, rooms: [newer] }).close()
  assert.throws(() => openNumbers(path), {
    code: 'Newer',
    message: /a newer Trunkline wrote it \(numbers is at step 2, this one knows 1\); update Trunkline/,
  })
  await openStore({ path, rooms: [newer] }).close()
})

test('openStore: the database of another program is refused and not touched', () => {
  using folder = temporaryFolder()
  const path = join(folder.path, 'a.db')
  using other = new DatabaseSync(path)
  other.exec('CREATE TABLE theirs (value INTEGER)')
  assert.throws(() => openNumbers(path), { code: 'NotOurs', message: /the database of another program/ })
  assert.deepEqual(
    other
      .prepare('SELECT name FROM sqlite_schema')
      .all()
      .map(({ name }) => name),
    ['theirs'],
  )
})

const unusable = {
  'text instead of a database': (path: string) => writeFileSync(path, 'not a database, but text '.repeat(400)),
  'a database cut off after its first page': async (path: string) => {
    await using store = openNumbers(path)
    const insert = inserter(store)
    await store.batch(() => Array.from({ length: 5000 }, (_, at) => insert(at)))
    await store.close()
    const half = new Uint8Array(8192).fill(0xaa)
    writeFileSync(path, half, { flag: 'r+' })
  },
}

for (const [what, damage] of Object.entries(unusable)) {
  test(`openStore: ${what} is refused with the remedy`, async () => {
    using folder = temporaryFolder()
    const path = join(folder.path, 'a.db')
    await damage(path)
    assert.throws(() => openNumbers(path), { code: 'Corrupt', message: /move it away to start empty, or put a backup/ })
  })
}

test('openStore: a folder in place of the file is refused', () => {
  using folder = temporaryFolder()
  mkdirSync(join(folder.path, 'a.db'))
  assert.throws(() => openNumbers(join(folder.path, 'a.db')), { code: 'Unusable', message: /check the path/ })
})

test('openStore: a file in place of the folder is refused', () => {
  using folder = temporaryFolder()
  writeFileSync(join(folder.path, 'state'), '')
  assert.throws(() => openNumbers(join(folder.path, 'state', 'a.db')), { code: 'Unusable' })
})

test('Store.check: finds damage in the middle of the file', async () => {
  using folder = temporaryFolder()
  const path = join(folder.path, 'a.db')
  {
    await using store = openNumbers(path)
    const insert = inserter(store)
    await store.batch(() => Array.from({ length: 5000 }, (_, at) => insert(at)))
  }
  const bytes = new Uint8Array(statSync(path).size - 4096 * 4).fill(0x55)
  const file = openSync(path, 'r+')
  writeSync(file, bytes, 0, bytes.length, 4096 * 4)
  closeSync(file)
  await using store = openNumbers(path)
  assert.notDeepEqual(store.check(), [])
})

test('Store.batch: a closed store refuses', async () => {
  using folder = temporaryFolder()
  const store = openNumbers(join(folder.path, 'a.db'))
  await store.close()
  await assert.rejects(
    store.batch(() => {}),
    { code: 'Closed' },
  )
  await assert.rejects(
    store.durable(() => {}),
    { code: 'Closed' },
  )
})
