import assert from 'node:assert/strict'
import { after, before, test } from 'node:test'
import { lacking } from '../../../../tools/lib/needs.ts'
import { until } from '../../../../tools/lib/until.ts'
import { storesContract } from '../../../mcp/test/stores/stores-contract.ts'
import { openPool } from '../src/driver.ts'
import { type PgPool, type PgResult, type PostgresStores, postgresStores } from '../src/index.ts'
import { serverPrograms, startEngine, type TestEngine } from './engine.ts'

const skip = lacking('postgres', serverPrograms() !== undefined)
let engine: TestEngine
let pool: PgPool
let shared: PostgresStores
let schemas = 0

before(async () => {
  if (skip) return
  engine = await startEngine()
  pool = await openPool(engine.url, { max: 9, deadlineMs: 10_000 })
  shared = await postgresStores(pool, { schema: 'shared' })
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

storesContract({
  name: 'PostgreSQL',
  skip,
  has: ['sessions', 'events', 'tasks', 'effects', 'limiter', 'proofs', 'cluster'],
  async make() {
    // the tables are made once: that takes longer than a test
    const tables = ['session', 'stream', 'task', 'effect', 'rate', 'proof', 'process']
    await run(tables.map((table) => `DELETE FROM shared.${table}`).join(';'))
    return { stores: { ...shared, cluster: shared }, async [Symbol.asyncDispose]() {} }
  },
})

test('postgresStores: processes that start at the same time share one schema', { skip }, async () => {
  const schema = `test_${++schemas}`
  const all = await Promise.all(Array.from({ length: 4 }, () => postgresStores(engine.url, { schema })))
  await all[0]?.sessions.save('one', { alias: 'a', messages: [] })
  for (const { sessions } of all) assert.equal((await sessions.load('one'))?.alias, 'a')
  for (const stores of all) await stores.close()
})

test('postgresStores: an address that cannot be used is refused with what to do', { skip }, async () => {
  const refused = (url: string, message: RegExp) => assert.rejects(postgresStores(url), { code: 'Store', message })
  await refused(`${engine.url}&port=1`, /^Cannot use PostgreSQL: /)
  await refused('postgresql://test@127.0.0.1:1/postgres', /no server listens at this address; start it, or correct/)
  await refused(engine.url.replace('/postgres?', '/nowhere?'), /the database does not exist; create it, or correct/)
  await assert.rejects(postgresStores(engine.url, { schema: 'a"b' }), { code: 'Misuse', message: /Cannot use schema/ })
})

test('postgresStores: a schema of a newer version is refused, unless that version says that this one can use it', {
  skip,
}, async () => {
  const schema = `test_${++schemas}`
  await (await postgresStores(pool, { schema })).close()
  await run(`INSERT INTO ${schema}.step VALUES (98, 2)`)
  await (await postgresStores(pool, { schema })).close()
  await run(`INSERT INTO ${schema}.step VALUES (99, 99)`)
  await assert.rejects(postgresStores(pool, { schema }), {
    code: 'Store',
    message: /a newer version made it .* step 99 .* update @trunkline\/postgres, or give another "schema"$/,
  })
})

test('postgresStores: a statement without an answer fails at its deadline, and the next one has a new connection', {
  skip,
}, async () => {
  await using stores = await postgresStores(pool, { schema: 'shared', deadlineMs: 1_000 })
  const { sessions } = stores
  await shared.sessions.save('one', { alias: 'a', messages: [] })
  const holding = await pool.connect()
  await holding.query('BEGIN')
  await holding.query('LOCK TABLE shared.session IN ACCESS EXCLUSIVE MODE')
  const late = { code: 'Store', outcome: 'Unknown', message: 'Cannot use PostgreSQL: no answer in 1000 ms' }
  await assert.rejects(async () => sessions.load('one'), late)
  await holding.query('ROLLBACK')
  holding.release()
  assert.equal((await sessions.load('one'))?.alias, 'a')
})

test('postgresStores: a connection that breaks fails its statement, and the process goes on', { skip }, async () => {
  await shared.sessions.save('one', { alias: 'a', messages: [] })
  const holding = await pool.connect()
  await holding.query('BEGIN')
  await holding.query('LOCK TABLE shared.session IN ACCESS EXCLUSIVE MODE')
  const broken = assert.rejects(async () => shared.sessions.load('one'), { code: 'Store' })
  const end = `SELECT pg_terminate_backend(pid) FROM pg_stat_activity WHERE wait_event_type = 'Lock'`
  // not in the transaction, which would see the same list again
  while ((await run(end)).rowCount === 0);
  await broken
  await holding.query('ROLLBACK')
  holding.release()
  assert.equal((await shared.sessions.load('one'))?.alias, 'a')
})

test('PostgresEventStore: drops the oldest events of a stream beyond its limit, and never its head', {
  skip,
}, async () => {
  await using stores = await postgresStores(pool, { schema: 'shared', maxEventsPerStream: 3 })
  const { events } = stores
  for (let number = 1; number <= 6; number++) await events.appendIf('long', { number, data: 'x' }, { writer: 'one' })
  assert.equal(await events.after('long', 2), undefined)
  assert.equal((await events.after('long', 3))?.length, 3)
  assert.deepEqual(await events.head('long'), { last: 6, writer: 'one', isClosed: false })
})

test('postgresStores: what has expired is deleted', { skip }, async () => {
  const schema = `test_${++schemas}`
  await using first = await postgresStores(pool, { schema })
  await first.sessions.save('old', { alias: 'a', messages: [] })
  await first.events.append('old', { number: 1, data: 'x' })
  await first.effects.begin({ call: 'c', key: 'k' }, Date.now() - 1)
  await first.proofs.use('old', 1)
  await using stores = await postgresStores(pool, { schema, maxSessionAgeMs: 0, maxEventAgeMs: 0 })
  const { sessions, events, effects } = stores
  await sessions.save('new', { alias: 'b', messages: [] })
  await until(async () => (await run(`SELECT 1 FROM ${schema}.proof`)).rowCount === 0, 'the last table to be swept')
  assert.equal(await sessions.load('old'), undefined)
  assert.equal(await events.head('old'), undefined)
  assert.equal(await effects.begin({ call: 'c', key: 'k' }, Date.now() + 60_000), undefined)
})
