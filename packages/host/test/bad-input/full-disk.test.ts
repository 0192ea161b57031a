import assert from 'node:assert/strict'
import { execFile } from 'node:child_process'
import { chmodSync, mkdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { it } from 'node:test'
import { fileURLToPath } from 'node:url'
import { promisify } from 'node:util'
import { Host } from '../../src/assembly/host.ts'
import { queryLedger } from '../../src/ledger/query.ts'
import { parseRule } from '../../src/policy/parse-rule.ts'
import { programSpec, runningHost, textOf } from '../gateway/running-host.ts'
import { temporaryFolder } from '../temporary-folder.ts'

/** Lets the database grow no more, as on a full disk. */
function fill({ store: { database } }: Host): void {
  database.exec('CREATE TABLE IF NOT EXISTS filler (text TEXT)')
  const { page_count: pages } = database.prepare('PRAGMA page_count').get() as { page_count: number }
  database.exec(`PRAGMA max_page_count = ${pages}`)
  // free space within the file is used up
  for (const size of [20_000, 1_000, 100, 1]) {
    try {
      for (;;) database.prepare('INSERT INTO filler VALUES (?)').run('x'.repeat(size))
    } catch {
      // full
    }
  }
}

function makeRoom({ store: { database } }: Host): void {
  database.exec('PRAGMA max_page_count = 1000000')
  database.exec('DROP TABLE filler')
}

it('on a full disk nothing is done that cannot be recorded, everything else is kept, and it goes on with room', async () => {
  using folder = temporaryFolder()
  const journal = join(folder.path, 'journal.txt')
  const spec = programSpec('journal', 'journal')
  if (spec.launch.kind !== 'program') throw new Error('It is a program')
  const launch = { ...spec.launch, args: [...spec.launch.args, journal] }
  const rule = parseRule('allow', 'journal:write', { layer: 'user', file: 'trunkline.json', line: 1 })
  await using running = await runningHost({ servers: [{ ...spec, launch }], rules: [rule], ask: { holdMs: 1 } })
  const { host } = running
  await using mcp = await running.dial()
  await mcp.tools.call('journal__write', { nonce: 'before' })
  await mcp.tools.call('journal__send', { nonce: 'ask' })
  const [question] = host.inbox.open
  assert.ok(question)
  fill(host)
  const acknowledged = ['before']
  let refused = await mcp.tools.call('journal__write', { nonce: 'while-0' })
  for (let count = 1; !refused.isError; count += 1) {
    acknowledged.push(textOf(refused))
    refused = await mcp.tools.call('journal__write', { nonce: `while-${count}` })
  }
  assert.match(textOf(refused), /the disk is full.*free some space/)
  const large = await mcp.tools.call('journal__write', { nonce: 'x'.repeat(100_000) })
  assert.equal(large.isError, true)
  await mcp.tools.call('journal__look', { nonce: 'y'.repeat(100_000) })
  // an answer may still fit, or not; it must be kept when it was acknowledged
  const decide = () => host.inbox.answer(question.id, { choice: 'once', by: 'terminal' }, { isLocal: true })
  const isDecided = await decide().then(
    () => true,
    (error: Error) => {
      assert.match(error.message, /the disk is full.*free some space/)
      return false
    },
  )
  assert.ok((await mcp.tools.list().all()).length > 0, 'what needs no room goes on')
  makeRoom(host)
  assert.equal(host.inbox.open.length, isDecided ? 0 : 1)
  if (!isDecided) await decide()
  assert.equal(textOf(await mcp.tools.call('journal__send', { nonce: 'ask' })), 'ask')
  acknowledged.push(textOf(await mcp.tools.call('journal__write', { nonce: 'after' })))
  const done = readFileSync(journal, 'utf8').trim().split('\n')
  assert.deepEqual(
    acknowledged.filter((nonce) => !done.includes(nonce)),
    [],
  )
  assert.equal(new Set(done).size, done.length)
  const began = queryLedger(host.store, { target: 'write', kind: 'began' })
  assert.ok(began.length >= done.length, 'whatever was done is known to have begun')
  assert.equal(host.ledger.verify().broken, undefined)
})

const program = fileURLToPath(new URL('on-small-disk.ts', import.meta.url))

/** Runs a host in a process of its own, in a shell that sets limits first. */
async function ended(limits: string, ...args: readonly string[]) {
  const shell = ['-c', `${limits}; exec "$0" "$@"`, process.execPath, program, ...args]
  const { stdout } = await promisify(execFile)('sh', shell, { timeout: 120_000 })
  return JSON.parse(stdout) as { readonly acknowledged: readonly string[]; readonly why: string }
}

it('where files cannot grow any more a sentence says what to do, and every acknowledged write is there afterwards', async () => {
  using folder = temporaryFolder()
  const journal = join(folder.path, 'journal.txt')
  const state = join(folder.path, 'state')
  // in blocks of 512 or 1024 bytes; the journal of the server would reach it later than the database
  const { acknowledged, why } = await ended('ulimit -f 3000', state, journal)
  assert.match(why, /the disk is full or the size limit is reached; free some space/)
  // how many depends on how much of them the search index has taken in meanwhile
  assert.ok(acknowledged.length > 0, 'no call was acknowledged')
  const done = readFileSync(journal, 'utf8').trim().split('\n')
  const countsDone = done.map((nonce) => nonce.split('-')[0])
  assert.deepEqual(countsDone.slice(0, acknowledged.length), acknowledged)
  await using host = new Host({ folder: state })
  assert.equal(host.ledger.verify().broken, undefined)
  const ends = queryLedger(host.store, { target: 'write', kind: 'ended', most: 1_000 })
  assert.ok(ends.filter(({ line }) => line.outcome === 'ok').length >= acknowledged.length)
  assert.ok(queryLedger(host.store, { target: 'write', kind: 'began', most: 1_000 }).length >= done.length)
})

it('where nothing may be written, the host says so and what to do, and leaves the files as they are', async () => {
  using folder = temporaryFolder()
  chmodSync(folder.path, 0o755)
  const state = join(folder.path, 'state')
  mkdirSync(state)
  const empty = async () => (await ended('umask 022', state)).why
  chmodSync(state, 0o555)
  try {
    assert.match(await empty(), /the file or its folder is read-only; make both writable, or set TRUNKLINE_HOME/)
    chmodSync(state, 0o755)
    {
      await using host = new Host({ folder: state })
      await host.start()
    }
    const database = join(state, 'trunkline.db')
    const before = readFileSync(database)
    chmodSync(database, 0o444)
    chmodSync(state, 0o555)
    assert.match(await empty(), /is read-only; make both writable, or set TRUNKLINE_HOME/)
    assert.ok(readFileSync(database).equals(before))
  } finally {
    chmodSync(state, 0o755)
  }
})
