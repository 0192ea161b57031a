/** Files that cannot be used: each is refused with what to do, and not touched. */
import assert from 'node:assert/strict'
import { execFile } from 'node:child_process'
import { chmodSync, constants, copyFileSync, mkdirSync, readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { DatabaseSync } from 'node:sqlite'
import { test } from 'node:test'
import { fileURLToPath } from 'node:url'
import { promisify } from 'node:util'
import { rolldown } from 'rolldown'
import { sqliteStores } from '../../src/stores/sqlite/stores.ts'
import { storeFolder } from './sqlite-folder.ts'
import { storedTask } from './task-store-contract.ts'

const run = promisify(execFile)
const entry = new URL('../../src/sqlite.ts', import.meta.url).href

interface Elsewhere {
  readonly flags?: readonly string[]
  /** Module that the store is imported from. */
  readonly from?: string
  readonly who?: { readonly uid?: number; readonly gid?: number }
  /** The Node that runs it. @default this one */
  readonly node?: string
}

/** Opens the file in another process and gives what it says. */
async function elsewhere(
  path: string,
  { flags = [], from = entry, who = {}, node = process.execPath }: Elsewhere = {},
): Promise<string> {
  const program = `
    import { sqliteStores } from ${JSON.stringify(from)}
    try {
      await sqliteStores(${JSON.stringify(path)}, { lockWaitMs: 20 }).close()
      console.log('opened')
    } catch ({ code, message }) {
      console.log(code + ': ' + message)
    }`
  const args = [...flags, '--no-warnings', '--input-type=module', '-e', program]
  return (await run(node, args, { encoding: 'utf8', ...who })).stdout.trim()
}

test('sqliteStores: a file that another process uses is refused, and taken when that one has let go', async () => {
  using place = storeFolder()
  const stores = sqliteStores(place.path)
  const refusal = `Store: Cannot use "${place.path}": another process is using it, and one file is for one process; stop that one, or give this one another file`
  assert.equal(await elsewhere(place.path), refusal)
  assert.throws(() => sqliteStores(place.path, { lockWaitMs: 0 }), { code: 'Store', message: /is using it/ })
  await stores.close()
  assert.equal(await elsewhere(place.path), 'opened')
})

test('sqliteStores: a file that a newer version wrote is refused and not touched', async () => {
  using place = storeFolder()
  await sqliteStores(place.path).close()
  const database = new DatabaseSync(place.path)
  database.exec('PRAGMA user_version = 99; CREATE TABLE future (x)')
  database.close()
  const before = readFileSync(place.path)
  assert.throws(() => sqliteStores(place.path), {
    code: 'Store',
    message:
      /a newer version wrote it \(its tables are at step 99, and this version knows \d+\); update @trunkline\/mcp/,
  })
  assert.deepEqual(readFileSync(place.path), before)
})

test('sqliteStores: the database of another program is refused and not touched', () => {
  using place = storeFolder()
  const database = new DatabaseSync(place.path)
  database.exec('CREATE TABLE mine (x)')
  database.close()
  assert.throws(() => sqliteStores(place.path), { code: 'Store', message: /it is the database of another program/ })
  const again = new DatabaseSync(place.path)
  assert.deepEqual(
    again
      .prepare('SELECT name FROM sqlite_schema')
      .all()
      .map(({ name }) => name),
    ['mine'],
  )
  again.close()
})

test('sqliteStores: a file that is no database is refused and not touched', () => {
  using place = storeFolder()
  const text = 'these are my notes, and not a database\n'.repeat(200)
  writeFileSync(place.path, text)
  assert.throws(() => sqliteStores(place.path), { code: 'Store', message: /damaged, or it is no SQLite database/ })
  assert.equal(readFileSync(place.path, 'utf8'), text)
})

test('sqliteStores: a folder in place of the file, and a file in place of the folder, are refused', () => {
  using place = storeFolder()
  mkdirSync(place.path)
  assert.throws(() => sqliteStores(place.path), { code: 'Store', message: /cannot be opened or read; check the path/ })
  const file = join(place.folder, 'file')
  writeFileSync(file, '')
  assert.throws(() => sqliteStores(join(file, 'server.db')), { code: 'Store', message: /check the path/ })
  const far = join(place.folder, 'not', 'there', 'server.db')
  assert.throws(() => sqliteStores(far), { code: 'Store', message: /check the path/ })
})

test('sqliteStores: a file or a folder that may only be read is refused', async () => {
  using place = storeFolder()
  await sqliteStores(place.path).close()
  chmodSync(place.folder, 0o755)
  chmodSync(place.path, 0o444)
  // the superuser is bound by no permissions, and others may not be able to read the sources, nor to reach this Node
  const who = process.geteuid?.() === 0 ? { uid: 65_534, gid: 65_534 } : {}
  const node = join(place.folder, 'node')
  copyFileSync(process.execPath, node, constants.COPYFILE_FICLONE)
  const from = join(place.folder, 'sqlite.mjs')
  await using bundle = await rolldown({ input: fileURLToPath(entry), platform: 'node' })
  await bundle.write({ file: from })
  for (const path of [place.path, join(place.folder, 'new.db')])
    assert.match(
      await elsewhere(path, { from, who, node }),
      /^Store: .*the file or its folder is read-only; make both writable$/,
    )
})

test('sqliteStores: a full file refuses what is new, keeps what it has, and takes more when something has expired', async () => {
  using place = storeFolder()
  await using stores = sqliteStores(place.path, { limits: { maxFileBytes: 200_000 } })
  const work = { text: 'x'.repeat(20_000) }
  const full = { code: 'Store', message: /the disk is full, or "limits.maxFileBytes" is reached/ }
  const ids: string[] = []
  await assert.rejects(async () => {
    for (let at = 0; ; at++) {
      const expiresAt = at < 3 ? Date.now() + 300 : null
      await stores.tasks.create(storedTask(`t${at}`, { work, expiresAt }), 1_000)
      ids.push(`t${at}`)
    }
  }, full)
  assert.ok(ids.length > 4)
  // more than the pages that were too few for the last task
  const value = { text: 'x'.repeat(40_000) }
  await assert.rejects(async () => stores.tasks.write('t4', { kind: 'answer', key: 'k', value }), full)
  assert.throws(() => stores.sessions.save('s', { alias: 'x'.repeat(100_000), messages: [] }), full)
  assert.throws(() => stores.events.append('e', { number: 1, data: 'x'.repeat(100_000) }), full)
  assert.deepEqual((await stores.tasks.load('t4'))?.work, work)
  await new Promise((resolve) => setTimeout(resolve, 320))
  assert.equal(await stores.tasks.create(storedTask('late', { work }), 1_000), true)
  assert.deepEqual(stores.events.after('e', 0), undefined)
})

test('sqliteStores: options that make no sense are refused by name', () => {
  const wrong: readonly [string, object, RegExp][] = [
    ['', {}, /give the path of a file/],
    [':memory:', {}, /give the path of a file/],
    ['x.db', { lockWaitMs: -1 }, /"lockWaitMs": -1 is not a whole number/],
    ['x.db', { limit: {} }, /there is no option "limit"/],
    ['x.db', { limits: { maxSession: 1 } }, /"limits.maxSession": no such limit/],
    ['x.db', { limits: { maxFileBytes: -1 } }, /"limits.maxFileBytes" to -1/],
  ]
  for (const [path, options, message] of wrong)
    assert.throws(() => sqliteStores(path, options), { code: 'Misuse', message })
})

test('sqliteStores: a runtime without node:sqlite is told which one has it', async () => {
  using place = storeFolder()
  assert.match(
    await elsewhere(place.path, { flags: ['--no-experimental-sqlite'] }),
    /^Unsupported: Cannot open a store in a file: Node \d+\.\d+\.\d+ has no "node:sqlite"; use Node 22\.13 or newer$/,
  )
})
