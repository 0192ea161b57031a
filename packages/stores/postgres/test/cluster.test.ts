import assert from 'node:assert/strict'
import { chownSync, statSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { after, before, test } from 'node:test'
import { lacking } from '../../../../tools/lib/needs.ts'
import { startProxy, type TcpProxy } from '../../../../tools/lib/tcp-proxy.ts'
import { until } from '../../../../tools/lib/until.ts'
import { assertRoundTrips } from '../../../mcp/test/stores/round-trips.ts'
import { Database } from '../src/database.ts'
import { openPool } from '../src/driver.ts'
import { type PgPool, type PgResult, type PostgresStores, postgresStores } from '../src/index.ts'
import { dropNotifications } from './drop-notifications.ts'
import { serverPrograms, startEngine, type TestEngine } from './engine.ts'

const skip = lacking('postgres', serverPrograms() !== undefined)
const facts = (epoch: string, server = 'weather') => ({ epoch, server, sealingKeys: ['k'] })
const record = { alias: 'a', messages: [] }
let engine: TestEngine
let pool: PgPool
let shared: PostgresStores

before(async () => {
  if (skip) return
  engine = await startEngine({ tls: true })
  pool = await openPool(engine.url, { max: 4, deadlineMs: 10_000 })
  pool.on('error', () => {})
  shared = await postgresStores(engine.url)
})
after(async () => {
  if (skip) return
  await shared.close()
  await pool.end()
  await engine[Symbol.asyncDispose]()
})

/** Runs a statement beside the stores. */
async function run(sql: string): Promise<PgResult> {
  const client = await pool.connect()
  try {
    return await client.query(sql)
  } finally {
    client.release()
  }
}

/** Address of the server through a proxy. */
function through({ port }: TcpProxy): string {
  return `postgresql://test@127.0.0.1:${port}/postgres`
}

/** Rings that a process hears. */
async function listen({ bell }: PostgresStores) {
  const heard: (string | undefined)[] = []
  await bell.listen((name) => heard.push(name))
  return heard
}

test('postgresStores: what one process posts and rings another one hears', { skip }, async () => {
  await using other = await postgresStores(engine.url)
  await shared.presence.beat(facts('a'), 60_000)
  const heard = await listen(shared)
  assert.deepEqual(await other.inbox.post(['a'], 'entry'), ['a'])
  await other.bell.ring(['x'.repeat(8_000)])
  await until(() => heard.length === 2)
  assert.deepEqual(heard, ['a', undefined])
  assert.deepEqual(
    (await shared.inbox.take('a', 0)).map(({ data }) => data),
    ['entry'],
  )
})

test('PostgresPresence: two servers with one schema are refused, also when they start at the same time', {
  skip,
}, async () => {
  await using first = await postgresStores(engine.url, { schema: 'two' })
  await using second = await postgresStores(engine.url, { schema: 'two' })
  const beats = await Promise.allSettled([
    first.presence.beat(facts('1', 'weather'), 60_000),
    second.presence.beat(facts('2', 'maps'), 60_000),
  ])
  const refused = beats.flatMap((beat) => (beat.status === 'rejected' ? [String(beat.reason)] : []))
  assert.equal(refused.length, 1)
  assert.match(refused[0] ?? '', /Cannot use schema two for server "(\w+)": server "(?!\1)\w+" uses it; give another/)
  for (const epoch of ['1', '2']) await first.presence.leave(epoch)
  await second.presence.beat(facts('3', 'maps'), 60_000)
})

test('PostgresPresence: takes a thousand processes', { skip }, async () => {
  await using stores = await postgresStores(engine.url, { schema: 'many' })
  const { now } = await stores.presence.beat(facts('known'), 60_000)
  await run(
    `INSERT INTO many.process SELECT 'p' || n, '"weather"', '[]', ${now + 60_000}, 0 FROM generate_series(2, 1000) AS n`,
  )
  assert.equal((await stores.presence.beat(facts('known'), 60_000)).live.length, 1_000)
  await assert.rejects(async () => stores.presence.beat(facts('new'), 60_000), {
    message: 'Cannot join the cluster: 1000 processes live; end some of them',
  })
})

test('PostgresInbox: an inbox with too many entries or bytes gets nothing more, until some are taken', {
  skip,
}, async () => {
  const { presence, inbox } = shared
  await presence.beat(facts('full'), 60_000)
  await inbox.post(['full'], 'four')
  const [first] = await inbox.take('full', 0)
  for (const change of ['entries = 10000', 'entries = 1, bytes = 67108864']) {
    await run(`UPDATE trunkline.process SET ${change} WHERE epoch = 'full'`)
    assert.deepEqual(await inbox.post(['full'], 'more'), [])
  }
  await inbox.take('full', first?.number ?? 0)
  assert.deepEqual(await inbox.post(['full'], 'more'), ['full'])
})

test('PostgresInbox: one that is made anew goes on above the numbers of the old one', { skip }, async () => {
  const { presence, inbox } = shared
  await presence.beat(facts('back'), 60_000)
  await inbox.post(['back'], 'one')
  const [first] = await inbox.take('back', 0)
  await presence.leave('back')
  await presence.beat(facts('back'), 60_000)
  await inbox.post(['back'], 'two')
  assert.deepEqual(
    (await inbox.take('back', first?.number ?? 0)).map(({ data }) => data),
    ['two'],
  )
})

test('postgresStores: users, passwords and rights that are wrong are refused with what to do', { skip }, async () => {
  await run(`CREATE ROLE guarded LOGIN PASSWORD 'right'; CREATE ROLE least LOGIN`)
  const as = (user: string): string => engine.url.replace('test@', `${user}@`)
  const refused = (url: string, message: RegExp) =>
    assert.rejects(postgresStores(url, { schema: 'rights' }), { code: 'Store', message })
  await refused(as('guarded:wrong'), /the password is wrong; correct it in the address$/)
  await refused(as('nobody'), /the user may not connect; correct the user, or pg_hba\.conf$/)
  await refused(
    as('guarded:right'),
    /the user has too few rights; let it create the schema, or create the schema for it$/,
  )
})

test('postgresStores: without "migrate" the SQL that is missing is told, and a user without rights can use what it made', {
  skip,
}, async () => {
  const least = engine.url.replace('test@', 'least@')
  const options = { schema: 'made', migrate: false }
  const error = await postgresStores(least, options).catch((reason: Error) => reason)
  assert.ok(error instanceof Error)
  assert.match(
    error.message,
    /^Cannot use schema made: steps 1 to 2 are missing; run this as its owner, and start again:\nBEGIN;/,
  )
  await run(error.message.slice(error.message.indexOf('BEGIN;')))
  await using stores = await postgresStores(least, options)
  await stores.presence.beat(facts('a'), 60_000)
  await stores.sessions.save('one', record)
  await stores.sessions.change('one', { key: 'k', message: { jsonrpc: '2.0', method: 'notifications/initialized' } })
  assert.equal(await stores.limiter.take([{ key: 'x', intervalMs: 1, burst: 1 }]), undefined)
  await using _ = await postgresStores(least, { schema: 'made' })
})

test('postgresStores: goes over TLS with the authority that is given, and refuses others', { skip }, async () => {
  const { port, cert } = engine.tls ?? assert.fail()
  const address = `postgresql://test@127.0.0.1:${port}/postgres`
  await using stores = await postgresStores(address, { tls: { ca: cert } })
  await stores.sessions.save('secret', record)
  const { rows } = await run(`SELECT count(*) FROM pg_stat_ssl JOIN pg_stat_activity USING (pid)
    WHERE ssl AND application_name = 'trunkline'`)
  assert.ok(Number(rows[0]?.count) > 0)
  await assert.rejects(postgresStores(address, { tls: {} }), {
    code: 'Store',
    message: /its certificate is of no known authority; give that as "tls: \{ ca \}"$/,
  })
})

test('postgresStores: each operation takes the round trips that the guide says (rule 9)', { skip }, async () => {
  await using proxy = await startProxy({ path: engine.socket })
  await using stores = await postgresStores(through(proxy), { schema: 'counted' })
  // a sweep of what expired is not waited for, and would be counted too; this is the last table of it
  await run(`INSERT INTO counted.process VALUES ('dead', '""', '[]', 0, 0)`)
  await stores.sessions.save('swept', record)
  await until(async () => (await run('SELECT 1 FROM counted.process')).rowCount === 0, 'the sweep to be over')
  await assertRoundTrips(stores, () => proxy.roundTrips)
})

test('Database: a process that is cut off in the middle of a transaction holds up no other one for longer than a deadline (rule 10)', {
  skip,
}, async () => {
  await using proxy = await startProxy({ path: engine.socket })
  const pool = await openPool(through(proxy), { max: 1, deadlineMs: 1_000 })
  pool.on('error', () => {})
  const database = new Database(pool, 1_000)
  const lock = 'SELECT pg_advisory_xact_lock(1)'
  const cutOff = database.transaction(async (client) => {
    await client.query(lock)
    proxy.hold('toServer')
    await new Promise(() => {})
  })
  await assert.rejects(cutOff, { code: 'Store', outcome: 'Unknown' })
  await run(lock)
  database.close()
  await pool.end()
})

test('postgresStores: behind a pooler that breaks LISTEN it warns without waiting for a deadline, and all else goes on', {
  skip,
}, async () => {
  await using proxy = await startProxy({ path: engine.socket }, { filter: dropNotifications })
  const warnings: string[] = []
  await using stores = await postgresStores(through(proxy), {
    deadlineMs: 600_000,
    onWarning: (message) => warnings.push(message),
  })
  assert.equal(warnings.length, 1)
  assert.match(
    warnings[0] ?? '',
    /found by polling alone; give the address of the server, or a pooler in session mode$/,
  )
  await stores.bell.ring(['a'])
  await stores.presence.beat(facts('polling'), 60_000)
  assert.deepEqual(await stores.inbox.post(['polling'], 'entry'), ['polling'])
})

test('postgresStores: replies that are held fail a statement at its deadline with an unknown outcome, later ones at once, and it heals', {
  skip,
}, async () => {
  await using proxy = await startProxy({ path: engine.socket })
  await using stores = await postgresStores(through(proxy), { deadlineMs: 1_000 })
  const heard = await listen(stores)
  const before = proxy.connections
  proxy.hold('toClient')
  await assert.rejects(async () => stores.events.append('held', { number: 1, data: 'x' }), {
    code: 'Store',
    outcome: 'Unknown',
    message: 'Cannot use PostgreSQL: no answer in 1000 ms',
  })
  await until(() => proxy.connections < before, 'the connection to be closed')
  // it was done all the same, which the process could not know
  assert.equal((await shared.events.head('held'))?.last, 1)
  await assert.rejects(async () => stores.events.head('held'), {
    outcome: 'NotSent',
    message: 'Cannot use PostgreSQL: it missed a deadline, and has not answered since then',
  })
  proxy.release()
  const isHealed = async () => (await Promise.resolve(stores.events.head('held')).catch(() => undefined))?.last === 1
  await until(isHealed)
  proxy.cut()
  await until(() => heard.includes(undefined), 'the bell to be heard again')
  await until(isHealed)
})

test('PostgresEffectStore: an attempt whose answer was lost is recognised when it is made again (rule 5)', {
  skip,
}, async () => {
  await using proxy = await startProxy({ path: engine.socket })
  await using stores = await postgresStores(through(proxy), { deadlineMs: 1_000 })
  const [effect, expiresAt] = [{ call: 'c', key: 'pay' }, Date.now() + 60_000]
  const one = { attempt: 'one', leaseMs: 60_000, expiresAt }
  await stores.effects.attempt({ call: 'c', key: 'before' }, one)
  proxy.hold('toClient')
  await assert.rejects(async () => stores.effects.attempt(effect, one), { outcome: 'Unknown' })
  proxy.release()
  assert.deepEqual(await shared.effects.attempt(effect, { ...one, attempt: 'two' }), { state: 'running' })
  const again = () => Promise.resolve(stores.effects.attempt(effect, one)).catch(() => undefined)
  await until(async () => (await again())?.state === 'mine', 'the attempt to be recognised')
})

test('PostgresEventStore: a number is given and seen only after a lower one was committed (rule 2)', {
  skip,
}, async () => {
  const { events } = shared
  assert.equal(await events.appendNext('order', 'first'), 1)
  const slow = await pool.connect()
  await slow.query('BEGIN')
  await slow.query(`UPDATE trunkline.stream SET last = 2 WHERE name = 'order'`)
  await slow.query(`INSERT INTO trunkline.event VALUES ('order', 2, 'slow')`)
  const fast = events.appendNext('order', 'fast')
  const waiting = `SELECT 1 FROM pg_stat_activity WHERE wait_event_type = 'Lock'`
  await until(async () => (await run(waiting)).rows.length > 0, 'the second append to wait for the first one')
  assert.deepEqual(await events.after('order', 1), [])
  await slow.query('COMMIT')
  slow.release()
  assert.equal(await fast, 3)
  assert.deepEqual(
    (await events.after('order', 1))?.map(({ data }) => data),
    ['slow', 'fast'],
  )
})

test('postgresStores: a server that went away fails statements at once, and is used again when it is back', {
  skip,
}, async () => {
  const { generation } = await shared.presence.beat(facts('before'), 60_000)
  const heard = await listen(shared)
  await engine.stop()
  await assert.rejects(async () => shared.sessions.load('one'), { code: 'Store' })
  await assert.rejects(async () => shared.sessions.load('one'), { code: 'Store', outcome: 'NotSent' })
  await engine.start()
  await until(() => heard.includes(undefined), 'the bell to be heard again')
  await shared.bell.ring(['again'])
  await until(() => heard.includes('again'))
  // nothing that it confirmed is lost, so that it is the same history
  assert.equal((await shared.presence.beat(facts('before'), 60_000)).generation, generation)
})

test('postgresStores: a standby is refused, and its promotion begins a new generation', { skip }, async () => {
  const { generation } = await shared.presence.beat(facts('before'), 60_000)
  await engine.stop()
  const signal = join(engine.data, 'standby.signal')
  const { uid, gid } = statSync(engine.data)
  writeFileSync(signal, '')
  chownSync(signal, uid, gid)
  await engine.start()
  await assert.rejects(postgresStores(engine.url), {
    message: /it is a standby, which takes no writes; give the address/,
  })
  await run('SELECT pg_promote()')
  const promoted = await shared.presence.beat(facts('before'), 60_000)
  assert.notEqual(promoted.generation, generation)
})
