import assert from 'node:assert/strict'
import { after, before, test } from 'node:test'
import { lacking } from '../../../../tools/lib/needs.ts'
import { until } from '../../../../tools/lib/until.ts'
import { storesContract } from '../../../mcp/test/stores/stores-contract.ts'
import { assertUsable } from '../src/assert-usable.ts'
import { clientFor } from '../src/driver.ts'
import { type RedisClient, type RedisOptions, type RedisStores, redisStores } from '../src/index.ts'
import { serverProgram, startEngine, type TestEngine } from './engine.ts'

const skip = lacking('redis', serverProgram() !== undefined)
const record = { alias: 'a', messages: [] }
let engine: TestEngine
let admin: RedisClient
let shared: RedisStores

before(async () => {
  if (skip) return
  engine = await startEngine()
  admin = await clientFor(`redis://${engine.address}`)
  await admin.connect()
  shared = await open({ server: 'shared' })
})
after(async () => {
  if (skip) return
  await shared.close()
  admin.destroy()
  await engine[Symbol.asyncDispose]()
})

function open(options?: RedisOptions): Promise<RedisStores> {
  return redisStores(`redis://${engine.address}`, options)
}

/** Runs a command beside the stores. */
function run(command: string): Promise<unknown> {
  return admin.sendCommand(command.split(' '))
}

/** Asserts that stores are refused at the start. */
function refused(address: string, message: RegExp): Promise<void> {
  return assert.rejects(redisStores(address, { server: 'refused' }), { code: 'Store', message })
}

storesContract({
  name: 'Redis',
  skip,
  has: ['sessions', 'events', 'limiter', 'proofs', 'cluster'],
  async make() {
    await run('FLUSHALL')
    return { stores: { ...shared, cluster: shared }, async [Symbol.asyncDispose]() {} }
  },
})

test('redisStores: an address, user or right that is wrong is refused with what to do', { skip }, async () => {
  await run('ACL SETUSER ann on >right ~* +@all -info')
  const { address } = engine
  await refused('redis://127.0.0.1:1', /no server listens at this address; start it, or correct the address$/)
  await refused('http://ann:secret@host', /^Cannot use Redis: its address is not one of Redis; write "redis:/)
  await refused(`redis://ann:wrong@${address}`, /the user or the password is wrong; correct it in the address$/)
  await refused(
    `redis://ann:right@${address}`,
    /too few rights; allow it the keys and channels of the prefix, and the commands "\+@all -@dangerous \+info"$/,
  )
  await run('ACL SETUSER bob on >right ~trunkline:bob:* +@all -@dangerous +info')
  await assert.rejects(redisStores(`redis://bob:right@${address}`, { server: 'bob' }), { message: /keys and channels/ })
  await run('ACL SETUSER bob &trunkline:bob:*')
  await using least = await redisStores(`redis://bob:right@${address}`, { server: 'bob' })
  await least.sessions.save('one', record)
  await least.limiter.take([{ key: 'x', intervalMs: 1, burst: 1 }])
  await least.presence.beat({ epoch: 'a', server: 'bob', sealingKeys: [] }, 60_000)
  assert.deepEqual(await least.inbox.post(['a'], 'entry'), ['a'])
  await refused(`redis://:needless@${address}`, /it has no password; remove the password from the address$/)
  await refused(`redis://${address}/99`, /there is no database of this number; correct the end of the address$/)
  await run('CONFIG SET requirepass right')
  await refused(`redis://${address}`, /it takes a password; give it in the address$/)
  await refused(`redis://:wrong@${address}`, /the user or the password is wrong/)
  await using _ = await redisStores(`redis://:right@${address}`, { server: 'with a password' })
  await run('CONFIG SET requirepass ')
  for (const server of ['', '\ud800'])
    await assert.rejects(open({ server }), { code: 'Misuse', message: /give the name of the server/ })
})

test('redisStores: a server that evicts keys, or is a replica, is refused with what to do', { skip }, async () => {
  await run('CONFIG SET maxmemory-policy allkeys-lru')
  await refused(`redis://${engine.address}`, /maxmemory-policy is "allkeys-lru", .* set it to "noeviction"/)
  await run('CONFIG SET maxmemory-policy noeviction')
  await run('REPLICAOF 127.0.0.1 1')
  await refused(`redis://${engine.address}`, /it is a replica, which takes no writes; give the address of the primary$/)
  await run('REPLICAOF NO ONE')
})

test('redisStores: has no tasks and effects, which a failover may lose', { skip }, () => {
  assert.deepEqual([shared.engine, 'tasks' in shared, 'effects' in shared], ['Redis', false, false])
})

test('redisStores: servers of different names share nothing, and processes of one name everything', {
  skip,
}, async () => {
  await using one = await open({ server: 'a' })
  await using same = await redisStores(admin, { server: 'a' })
  await using other = await open({ server: 'a:session' })
  await one.sessions.save('session:x', record)
  await one.events.append('x', { number: 1, data: 'x' })
  await one.limiter.take([{ key: 'x', intervalMs: 60_000, burst: 1 }])
  assert.deepEqual(await same.sessions.load('session:x'), record)
  assert.equal((await same.limiter.take([{ key: 'x', intervalMs: 60_000, burst: 1 }]))?.key, 'x')
  assert.equal(await other.sessions.load('x'), undefined)
  assert.deepEqual(((await run('KEYS trunkline:a:*')) as string[]).toSorted(), [
    'trunkline:a:rate:"x"',
    'trunkline:a:session:session:x',
    'trunkline:a:stream:x',
  ])
})

test('redisStores: a server that does not answer fails a step at its deadline, later ones at once, and heals', {
  skip,
}, async () => {
  await using stores = await open({ server: 'late', deadlineMs: 1_000 })
  await stores.sessions.save('one', record)
  engine.signal('SIGSTOP')
  const message = 'Cannot use Redis: no answer in 1000 ms'
  try {
    await assert.rejects(async () => stores.sessions.load('one'), { code: 'Store', outcome: 'Unknown', message })
    await assert.rejects(async () => stores.sessions.load('one'), { code: 'Store', outcome: 'NotSent', message })
  } finally {
    engine.signal('SIGCONT')
  }
  await until(async () => (await Promise.resolve(stores.sessions.load('one')).catch(() => undefined))?.alias === 'a')
})

test('redisStores: a connection that breaks fails its step with an unknown outcome, and is made again', {
  skip,
}, async () => {
  await using stores = await open({ server: 'broken' })
  await stores.sessions.save('one', record)
  await run('CLIENT PAUSE 60000 WRITE')
  const broken = assert.rejects(async () => stores.sessions.load('one'), { code: 'Store', outcome: 'Unknown' })
  const blocked = async () => /^id=(\d+) .* flags=b /m.exec(String(await run('CLIENT LIST')))?.[1]
  await until(async () => (await blocked()) !== undefined, 'the step to reach the server')
  await run(`CLIENT KILL ID ${await blocked()}`)
  await broken
  await run('CLIENT UNPAUSE')
  await until(async () => (await Promise.resolve(stores.sessions.load('one')).catch(() => undefined))?.alias === 'a')
  await stores.close()
  await assert.rejects(async () => stores.sessions.load('one'), {
    outcome: 'NotSent',
    message: /its stores were closed/,
  })
})

test('redisStores: a server that forgot its scripts is given them again', { skip }, async () => {
  await run('SCRIPT FLUSH')
  await shared.sessions.save('one', record)
  assert.deepEqual(await shared.sessions.load('one'), record)
})

test('RedisLimiter: counts by the time of Redis, not by that of the process', { skip }, async (t) => {
  const rate = { key: 'clock', intervalMs: 60_000, burst: 1 }
  assert.equal(await shared.limiter.take([rate]), undefined)
  t.mock.timers.enable({ apis: ['Date'], now: Date.now() + 3_600_000 })
  const { afterMs } = (await shared.limiter.take([rate])) ?? assert.fail()
  assert.ok(afterMs > 0 && afterMs <= 60_000, `${afterMs}`)
})

test('RedisEventStore: drops the oldest events of a stream beyond its limit, and never its head', {
  skip,
}, async () => {
  await using stores = await open({ server: 'long', maxEventsPerStream: 3 })
  const { events } = stores
  for (let number = 1; number <= 6; number++) await events.appendIf('long', { number, data: 'x' }, { writer: 'one' })
  assert.equal(await events.after('long', 2), undefined)
  assert.equal((await events.after('long', 3))?.length, 3)
  assert.deepEqual(await events.head('long'), { last: 6, writer: 'one', isClosed: false })
})

test('redisStores: all keys expire by the time of Redis, and the use of a session puts that off', {
  skip,
}, async () => {
  await using stores = await open({ server: 'old', maxSessionAgeMs: 600_000, maxEventAgeMs: 60_000 })
  await stores.sessions.save('one', record)
  await stores.events.append('one', { number: 1, data: 'x' })
  await stores.limiter.take([{ key: 'one', intervalMs: 1_000, burst: 5 }])
  const left = async (kind: string): Promise<number> => Number(await run(`PTTL trunkline:old:${kind}`))
  const isWithin = (ms: number, most: number): boolean => ms > 0 && ms <= most
  assert.ok(isWithin(await left('session:one'), 600_000))
  assert.ok(isWithin(await left('stream:one'), 60_000))
  assert.ok(isWithin(await left('rate:"one"'), 1_000))
  for (const use of ['version', 'load'] as const) {
    await run('PEXPIRE trunkline:old:session:one 500000')
    await stores.sessions[use]('one')
    assert.ok((await left('session:one')) > 500_000)
  }
  await run('PEXPIRE trunkline:old:session:one 0')
  assert.equal(await stores.sessions.load('one'), undefined)
  assert.equal(await stores.sessions.change('one', { key: 'k', message: undefined }), undefined)
})

/** Facts of a server that can be used. */
const good = { redis_version: '7.0.15', redis_mode: 'standalone', role: 'master', maxmemory_policy: 'noeviction' }

/** An answer to `INFO` as of a good server, but for some facts. */
function info(facts: { readonly [name: string]: string }): string {
  const lines = Object.entries({ ...good, ...facts }).map(([name, value]) => `${name}:${value}`)
  return ['# Server', ...lines, ''].join('\r\n')
}

test('assertUsable: Redis and Valkey from version 7 are taken', () => {
  for (const redis_version of ['7.0.0', '8.2.1', '10.0.0']) assertUsable(info({ redis_version }))
  assertUsable(info({ redis_version: '7.2.4', valkey_version: '8.1.0' }))
})

test('assertUsable: older versions are refused with what to do', () => {
  for (const redis_version of ['6.2.14', '5.0.3', ''])
    assert.throws(() => assertUsable(info({ redis_version })), {
      code: 'Store',
      message: `Cannot use Redis: version "${redis_version}" is too old; give Redis or Valkey 7 or newer`,
    })
})

test('assertUsable: nodes of a cluster, sentinels, replicas and every policy that evicts are refused', () => {
  const refused = (facts: { readonly [name: string]: string }, message: RegExp) =>
    assert.throws(() => assertUsable(info(facts)), { code: 'Store', message })
  refused({ redis_mode: 'cluster' }, /its mode is "cluster"; give the address of one primary/)
  refused({ redis_mode: 'sentinel' }, /its mode is "sentinel"/)
  refused({ role: 'slave' }, /it is a replica/)
  for (const policy of ['allkeys-lru', 'volatile-ttl', 'volatile-lru'])
    refused({ maxmemory_policy: policy }, /so that it may delete live sessions; set it to "noeviction"/)
})
