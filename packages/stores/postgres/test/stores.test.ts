import assert from 'node:assert/strict'
import { after, before, test } from 'node:test'
import { lacking } from '../../../../tools/lib/needs.ts'
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
  pool = await openPool(engine.url, 8, 10_000)
  shared = await postgresStores(pool, { schema: 'shared' })
})
after(async () => {
  if (skip) return
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
  has: ['sessions', 'events', 'tasks', 'effects', 'limiter'],
  async make() {
    // the tables are made once: that takes longer than a test
    await run(['session', 'stream', 'task', 'effect', 'rate'].map((table) => `DELETE FROM shared.${table}`).join(';'))
    return { stores: shared, async [Symbol.asyncDispose]() {} }
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

test('postgresStores: a schema of a newer version is refused', { skip }, async () => {
  const schema = `test_${++schemas}`
  await postgresStores(pool, { schema })
  await run(`INSERT INTO ${schema}.step VALUES (99)`)
  await assert.rejects(postgresStores(pool, { schema }), {
    code: 'Store',
    message: /a newer version made it .* step 99/,
  })
})

test('postgresStores: a statement without an answer fails at its deadline, and the next one has a new connection', {
  skip,
}, async () => {
  const { sessions } = await postgresStores(pool, { schema: 'shared', deadlineMs: 1_000 })
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
  const { events } = await postgresStores(pool, { schema: 'shared', maxEventsPerStream: 3 })
  for (let number = 1; number <= 6; number++) await events.appendIf('long', { number, data: 'x' }, { writer: 'one' })
  assert.equal(await events.after('long', 2), undefined)
  assert.equal((await events.after('long', 3))?.length, 3)
  assert.deepEqual(await events.head('long'), { last: 6, writer: 'one', isClosed: false })
})

test('postgresStores: what has expired is deleted', { skip }, async () => {
  const schema = `test_${++schemas}`
  const first = await postgresStores(pool, { schema })
  await first.sessions.save('old', { alias: 'a', messages: [] })
  await first.events.append('old', { number: 1, data: 'x' })
  await first.effects.begin({ call: 'c', key: 'k' }, Date.now() - 1)
  const { sessions, events, effects } = await postgresStores(pool, { schema, maxSessionAgeMs: 0, maxEventAgeMs: 0 })
  await sessions.save('new', { alias: 'b', messages: [] })
  assert.equal(await sessions.load('old'), undefined)
  assert.equal(await events.head('old'), undefined)
  assert.equal(await effects.begin({ call: 'c', key: 'k' }, Date.now() + 60_000), undefined)
})
