import assert from 'node:assert/strict'
import { mkdtempSync, readFileSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { after, before, test } from 'node:test'
import { freePort } from '../../../../tools/lib/free-port.ts'
import { lacking } from '../../../../tools/lib/needs.ts'
import { selfSigned } from '../../../../tools/lib/self-signed.ts'
import { startProxy } from '../../../../tools/lib/tcp-proxy.ts'
import { until } from '../../../../tools/lib/until.ts'
import { assertRoundTrips } from '../../../mcp/test/stores/round-trips.ts'
import { clientFor } from '../src/driver.ts'
import { type RedisClient, type RedisStores, redisStores } from '../src/index.ts'
import { serverProgram, startEngine, type TestEngine } from './engine.ts'

const skip = lacking('redis', serverProgram() !== undefined)
const facts = (epoch: string, server = 'weather') => ({ epoch, server, sealingKeys: ['k'] })
let folder: string
let tlsPort: number
let engine: TestEngine
let admin: RedisClient
let shared: RedisStores

before(async () => {
  if (skip) return
  folder = mkdtempSync(join(tmpdir(), 'trunkline-redis-'))
  const { cert, key } = selfSigned(folder)
  tlsPort = await freePort()
  const files = ['--tls-cert-file', cert, '--tls-key-file', key, '--tls-auth-clients', 'no']
  engine = await startEngine(['--tls-port', String(tlsPort), ...files])
  admin = await clientFor(`redis://${engine.address}`)
  admin.on('error', () => {})
  await admin.connect()
  shared = await redisStores(`redis://${engine.address}`)
})
after(async () => {
  if (skip) return
  await shared.close()
  admin.destroy()
  await engine[Symbol.asyncDispose]()
  rmSync(folder, { recursive: true })
})

/** Runs a command beside the stores. */
function run(...command: readonly string[]): Promise<unknown> {
  return admin.sendCommand(command)
}

/** Rings that a process hears. */
async function listen({ bell }: RedisStores) {
  const heard: (string | undefined)[] = []
  await bell.listen((name) => heard.push(name))
  return heard
}

test('redisStores: what one process posts and rings another one hears', { skip }, async () => {
  await using other = await redisStores(admin)
  await shared.presence.beat(facts('a'), 60_000)
  const heard = await listen(shared)
  assert.deepEqual(await other.inbox.post(['a'], 'entry'), ['a'])
  await other.bell.ring(['b'])
  await until(() => heard.length === 2)
  assert.deepEqual(heard, ['a', 'b'])
  assert.deepEqual(
    (await shared.inbox.take('a', 0)).map(({ data }) => data),
    ['entry'],
  )
})

test('RedisPresence: two servers with one prefix are refused', { skip }, async () => {
  await using stores = await redisStores(admin, { prefix: 'two' })
  const { presence } = stores
  await presence.beat(facts('1', 'weather'), 60_000)
  await assert.rejects(async () => presence.beat(facts('2', 'maps'), 60_000), {
    code: 'Store',
    message: 'Cannot use keys "two::*" for server "maps": server "weather" uses them; give another "prefix"',
  })
  await presence.leave('1')
  await presence.beat(facts('2', 'maps'), 60_000)
})

test('RedisPresence: takes a thousand processes', { skip }, async () => {
  await using stores = await redisStores(admin, { prefix: 'many' })
  const { now } = await stores.presence.beat(facts('known'), 60_000)
  const epochs = Array.from({ length: 999 }, (_, at) => `p${at}`)
  await run('ZADD', 'many::leases', ...epochs.flatMap((epoch) => [String(now + 60_000), epoch]))
  await run('HSET', 'many::processes', ...epochs.flatMap((epoch) => [epoch, '"weather"\n[]']))
  assert.equal((await stores.presence.beat(facts('known'), 60_000)).live.length, 1_000)
  await assert.rejects(async () => stores.presence.beat(facts('new'), 60_000), {
    message: 'Cannot join the cluster: 1000 processes live; end some of them',
  })
})

test('RedisInbox: an inbox with too many entries or bytes gets nothing more, until some are taken', {
  skip,
}, async () => {
  const { presence, inbox } = shared
  const key = 'trunkline::inbox:full'
  await presence.beat(facts('full'), 60_000)
  await inbox.post(['full'], 'four')
  const number = (await inbox.take('full', 0))[0]?.number ?? 0
  await run('HSET', key, 'first', String(number - 9_999))
  assert.deepEqual(await inbox.post(['full'], 'more'), [])
  await run('HSET', key, 'first', String(number), 'bytes', '67108864')
  assert.deepEqual(await inbox.post(['full'], 'more'), [])
  await inbox.take('full', number)
  assert.equal(await run('HGET', key, 'bytes'), '67108860')
  assert.deepEqual(await inbox.post(['full'], 'more'), ['full'])
})

test('redisStores: FLUSHALL begins a new generation, and inboxes go on above their old numbers', { skip }, async () => {
  const { presence, inbox } = shared
  const { generation } = await presence.beat(facts('flushed'), 60_000)
  await inbox.post(['flushed'], 'one')
  const [first] = await inbox.take('flushed', 0)
  await run('FLUSHALL')
  assert.deepEqual(await inbox.post(['flushed'], 'lost'), [])
  const view = await presence.beat(facts('flushed'), 60_000)
  assert.notEqual(view.generation, generation)
  await inbox.post(['flushed'], 'two')
  assert.deepEqual(
    (await inbox.take('flushed', first?.number ?? 0)).map(({ data }) => data),
    ['two'],
  )
})

/** An inbox at a new primary that lacks the last of two entries; its process has taken that, and knows nothing of the failover. */
async function afterFailover(epoch: string) {
  const { presence, inbox } = shared
  await presence.beat(facts(epoch), 60_000)
  await inbox.post([epoch], 'one')
  const [one] = await inbox.take(epoch, 0)
  await inbox.post([epoch], 'lost')
  const [lost] = await inbox.take(epoch, one?.number ?? 0)
  const [key = ''] = (await run('KEYS', `*inbox:${epoch}`)) as readonly string[]
  await run('HDEL', key, String(lost?.number))
  await run('HSET', key, 'last', String(one?.number), 'primary', 'another one')
  return {
    post: (entry: string) => inbox.post([epoch], entry),
    takeAfterLost: async () => (await inbox.take(epoch, lost?.number ?? 0)).map(({ data }) => data),
  }
}

test('redisStores: an entry that comes after a failover is taken, although the process knows the number of one that was lost (rule 2)', {
  skip,
}, async () => {
  const { post, takeAfterLost } = await afterFailover('behind')
  await post('two')
  assert.deepEqual(await takeAfterLost(), ['two'])
})

test('redisStores: an entry that comes after a failover is taken, although the process found nothing before it came (rule 2)', {
  skip,
}, async () => {
  const { post, takeAfterLost } = await afterFailover('early')
  assert.deepEqual(await takeAfterLost(), [])
  await post('two')
  assert.deepEqual(await takeAfterLost(), ['two'])
})

test('redisStores: an entry that comes after a failover is taken, although the reply with it was lost (rule 2)', {
  skip,
}, async () => {
  const { post, takeAfterLost } = await afterFailover('unheard')
  await post('two')
  await takeAfterLost()
  assert.deepEqual(await takeAfterLost(), ['two'])
})

test('redisStores: entries that a failover kept and their process has not taken are taken in order, and once (rule 2)', {
  skip,
}, async () => {
  const { presence, inbox } = shared
  await presence.beat(facts('kept'), 60_000)
  for (const entry of ['one', 'two']) await inbox.post(['kept'], entry)
  const [key = ''] = (await run('KEYS', '*inbox:kept')) as readonly string[]
  await run('HSET', key, 'primary', 'another one')
  const taken = await inbox.take('kept', 0)
  assert.deepEqual(
    taken.map(({ data }) => data),
    ['one', 'two'],
  )
  assert.deepEqual(await inbox.take('kept', taken.at(-1)?.number ?? 0), [])
  assert.equal(await run('HGET', key, 'bytes'), '0')
  assert.equal(await run('HLEN', key), 4)
})

test('redisStores: replies that are held fail a step at its deadline with an unknown outcome, and it heals', {
  skip,
}, async () => {
  await using proxy = await startProxy({ port: engine.port, host: '127.0.0.1' })
  await using stores = await redisStores(`redis://127.0.0.1:${proxy.port}`, { deadlineMs: 1_000 })
  const heard = await listen(stores)
  await stores.events.append('held', { number: 1, data: 'x' })
  proxy.hold('toClient')
  await assert.rejects(async () => stores.events.append('held', { number: 2, data: 'x' }), {
    code: 'Store',
    outcome: 'Unknown',
    message: 'Cannot use Redis: no answer in 1000 ms',
  })
  // it was done all the same, which the process could not know
  assert.equal((await shared.events.head('held'))?.last, 2)
  proxy.release()
  await until(async () => (await Promise.resolve(stores.events.head('held')).catch(() => undefined)) !== undefined)
  proxy.cut()
  await until(() => heard.includes(undefined), 'the bell to be heard again')
  await until(async () => (await Promise.resolve(stores.events.head('held')).catch(() => undefined)) !== undefined)
  await stores.bell.ring(['again'])
  await until(() => heard.includes('again'))
})

test('redisStores: a server that is started again is used again, and begins a new generation', { skip }, async () => {
  const { generation } = await shared.presence.beat(facts('before'), 60_000)
  const heard = await listen(shared)
  await engine.stop()
  await assert.rejects(async () => shared.sessions.load('one'), { code: 'Store' })
  await assert.rejects(async () => shared.sessions.load('one'), { code: 'Store', outcome: 'NotSent' })
  await engine.start()
  await until(() => heard.includes(undefined), 'the bell to be heard again')
  const beat = () => Promise.resolve(shared.presence.beat(facts('before'), 60_000)).catch(() => undefined)
  await until(async () => (await beat()) !== undefined, 'Redis to be used again')
  assert.notEqual((await beat())?.generation, generation)
  await shared.bell.ring(['again'])
  await until(() => heard.includes('again'))
})

test('redisStores: goes over TLS with the authority that is given, and refuses others', { skip }, async () => {
  const address = `rediss://127.0.0.1:${tlsPort}`
  const ca = readFileSync(join(folder, 'cert.pem'), 'utf8')
  await using stores = await redisStores(address, { tls: { ca } })
  await stores.sessions.save('secret', { alias: 'a', messages: [] })
  await assert.rejects(redisStores(address), {
    code: 'Store',
    message: /its certificate is of no known authority; give that as "tls: \{ ca \}"$/,
  })
})

test('redisStores: each operation takes the round trips that the guide says (rule 9)', { skip }, async () => {
  await using proxy = await startProxy({ port: engine.port, host: '127.0.0.1' })
  await using stores = await redisStores(`redis://127.0.0.1:${proxy.port}`, { prefix: 'counted' })
  await assertRoundTrips(stores, () => proxy.roundTrips)
})
