/** Two callers with a cache each, at one server: neither is answered from the other's, or with an expired entry. */
import assert from 'node:assert/strict'
import { test } from 'node:test'
import { connect, server } from '@trunkline/mcp'
import { type FetchHandler, toFetch } from '@trunkline/mcp/http'
import fc from 'fast-check'
import { until } from '../../../../tools/lib/until.ts'
import { ResponseCache } from '../../src/client/cache.ts'
import { quiet } from '../fixtures/quiet.ts'
import { gate } from '../gate.ts'
import { ownMemory } from '../own-memory.ts'

const people = ['ann', 'bob'] as const
type Person = (typeof people)[number]

const cache = { ttlMs: 60_000, scope: 'private' } as const

/** Notes of which each caller has a set, told apart by nothing but the caller; their text counts their changes. */
function notes() {
  const versions = new Map<string, number>()
  const served = { count: 0 }
  const definition = server({ name: 'notes', ...quiet })
  for (const uri of ['note:a', 'note:b']) {
    definition.resource(uri, { cache }, (_, { caller }) => {
      served.count += 1
      return `${caller.principal} ${versions.get(uri) ?? 0}`
    })
  }
  const change = (uri: string): void => {
    versions.set(uri, (versions.get(uri) ?? 0) + 1)
    definition.resources.updated(uri)
  }
  return { definition, versions, served, change }
}

/** A client that is known to the server by name, and hears of changes. */
async function clientOf(person: Person, handler: FetchHandler) {
  const seen = new Map<string, number>()
  const client = await connect('http://localhost/mcp', {
    http: { fetch: (url, init) => handler.handle(new Request(url, init as RequestInit), { principal: person }) },
  })
  await client.watch({ uris: ['note:a', 'note:b'] }, (change) => {
    if (change.kind === 'resource') seen.set(change.uri, (seen.get(change.uri) ?? 0) + 1)
  })
  return { client, seen }
}

const operation = fc.record({
  who: fc.constantFrom(...people),
  uri: fc.constantFrom('note:a', 'note:b'),
  what: fc.constantFrom('read', 'read', 'read', 'change'),
})

test('ResponseCache: whatever two callers do, each reads its own notes, as they are', async () => {
  const run = async (operations: readonly { who: Person; uri: string; what: string }[]): Promise<void> => {
    const { definition, versions, served, change } = notes()
    const handler = toFetch(definition)
    const clients = { ann: await clientOf('ann', handler), bob: await clientOf('bob', handler) }
    const fresh = new Set<string>()
    for (const { who, uri, what } of operations) {
      if (what === 'change') {
        change(uri)
        for (const { seen } of Object.values(clients)) {
          await until(() => seen.get(uri) === versions.get(uri), 'a change to be heard of')
        }
        for (const person of people) fresh.delete(`${person} ${uri}`)
        continue
      }
      const before = served.count
      const { contents } = await clients[who].client.resources.read(uri)
      assert.deepEqual(
        contents.map((content) => 'text' in content && content.text),
        [`${who} ${versions.get(uri) ?? 0}`],
      )
      assert.equal(served.count - before, fresh.has(`${who} ${uri}`) ? 0 : 1)
      fresh.add(`${who} ${uri}`)
    }
    for (const { client } of Object.values(clients)) await client.close()
    await handler.close()
  }
  await fc.assert(fc.asyncProperty(fc.array(operation, { maxLength: 25 }), run), { numRuns: 30 })
})

test('ResponseCache: an answer that needed a question is not cached', async () => {
  const form = { type: 'object', properties: { word: { type: 'string' } } } as const
  const asking = server({ name: 'asking', ...quiet }).resource('note:a', { cache }, async (_, ctx) => {
    const { word } = await ctx.elicit('The word?', form, { key: 'word' })
    return `${word}`
  })
  let asked = 0
  await using client = await connect(asking, {
    elicitation: () => ({ action: 'accept', content: { word: `word ${++asked}` } }),
  })
  for (const text of ['word 1', 'word 2']) {
    assert.deepEqual((await client.resources.read('note:a')).contents, [{ uri: 'note:a', text }])
  }
})

test('ResponseCache: an answer that was on its way when it went out of date is not kept', async () => {
  const { promise, open } = gate()
  const own = new ResponseCache({ maxCacheEntries: 10, maxCacheBytes: 10_000, maxCacheAgeMs: 60_000 })
  let asked = 0
  const handle = own.intercept(async () => {
    asked += 1
    await promise
    return { ttlMs: 60_000, asked }
  })
  const read = () => handle({ method: 'resources/read', params: { uri: 'note:a' }, options: {} })
  const early = read()
  own.invalidate({ kind: 'resource', uri: 'note:a' })
  open()
  assert.equal((await early).asked, 1)
  assert.equal((await read()).asked, 2)
  assert.equal((await read()).asked, 2)
})

test('connect: large results that may be kept for a day take up so much and no more', async (t) => {
  const day = { ttlMs: 86_400_000, scope: 'private' } as const
  let served = 0
  const definition = server({ name: 'large', ...quiet })
  for (let at = 0; at < 40; at++) {
    definition.resource(`large:${at}`, { cache: day }, () => `${served++}`.padEnd(3_000_000, 'x'))
  }
  await using client = await connect(definition)
  const before = await ownMemory()
  for (let at = 0; at < 40; at++) await client.resources.read(`large:${at}`)
  const grown = (await ownMemory()) - before
  t.diagnostic(`${Math.round(grown / 1_048_576)} MiB for 114 MiB`)
  assert.ok(grown < 72_000_000, `${grown}`)
  await client.resources.read('large:39')
  assert.equal(served, 40)
  await client.resources.read('large:0')
  assert.equal(served, 41)
})

test('connect: tools that have other names in every list are not remembered for ever', async (t) => {
  const schema = { type: 'object', properties: { text: { type: 'string', description: 'x'.repeat(1_000) } } }
  const definition = server({ name: 'renaming', ...quiet }).tool('one', {}, () => 'one')
  await using client = await connect(definition, { limits: { maxToolsRemembered: 100 } })
  const rename = async (round: number): Promise<void> => {
    const names = Array.from({ length: 100 }, (_, at) => `tool ${round} ${at}`)
    for (const name of names) definition.tool(name, { output: structuredClone(schema) as never }, () => ({}) as never)
    await client.tools.list().all()
    for (const name of names) definition.tools.remove(name)
  }
  await rename(0)
  const before = await ownMemory()
  for (let round = 1; round <= 40; round++) await rename(round)
  const grown = (await ownMemory()) - before
  t.diagnostic(`${Math.round(grown / 1_024)} KiB for 4 000 tools`)
  assert.ok(grown < 2_000_000, `${grown}`)
})
