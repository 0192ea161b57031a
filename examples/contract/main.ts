import assert from 'node:assert/strict'
import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { connect, type Tool } from '@trunkline/mcp'
import { contract, type ToolTerms } from '@trunkline/mcp/contract'
import { sqliteStores } from '@trunkline/mcp/sqlite'
import { publisher, registry, sums, world } from './publisher.ts'

const folder = mkdtempSync(join(tmpdir(), 'trunkline-contract-'))
process.once('exit', () => rmSync(folder, { recursive: true }))

// region store
const file = join(folder, 'publisher.db')
const stores = sqliteStores(file)
const mcp = await connect(publisher(stores), { extensions: [contract()] })
// endregion
await using other = await connect(registry, { extensions: [contract()] })
console.log('needs:', JSON.stringify(mcp.requires))
console.log('replaced by:', mcp.updates?.by, mcp.updates?.from)

// region preview
const input = { name: 'lib', tag: 'v1' }
const { effects, plan } = await mcp.tools.preview('publish', input)
console.log('would:', effects.join(', '))
// endregion
assert.deepEqual(world, [], 'a dry run does nothing')
const wrong = mcp.tools.call('publish', { name: 'lib', tag: 'v2' }, { plan })
console.log('another plan:', await wrong.catch((error: Error) => error.message))

// region key
const options = { plan, idempotencyKey: 'release-7', want: { detail: 'brief' }, deadlineMs: 5_000 } as const
const first = await mcp.tools.call('publish', input, options)
const second = await mcp.tools.call('publish', input, options)
console.log('one call:', world.join(' '), first.steps, second.isRepeated)
// endregion
console.log('in brief:', first.content)
assert.deepEqual([world, second.isRepeated], [['lib', 'v1'], true])

// region steps
const failed = await mcp.tools.call('publish', { name: 'other', tag: 'taken' })
for (const { name, state, why } of failed.steps ?? []) console.log(`step ${name}: ${state}`, why ?? '')
// endregion
assert.deepEqual(world, ['lib', 'v1'], 'the upload was undone')

// region retry
const busy = await other.tools.call('status', {})
console.log('try again in', busy.retry?.afterMs, 'ms')
const { status } = await other.tools.call('status', {}, { idempotencyKey: true })
console.log('exit code:', status?.code)
// endregion
assert.deepEqual([busy.isError, status], [true, { code: 3, class: 'failed' }])

// region want
const total = await other.tools.call('list', {}, { want: { fields: ['/total'], maxBytes: 300 } })
console.log('of', total.leftOut?.bytes, 'bytes came', total.structuredContent)
// endregion
assert.deepEqual(total.structuredContent, { total: 100 })

// region deadline
const late = await other.tools.call('wait', {}, { deadlineMs: 2_000 })
console.log('in time:', late.status?.class)
// endregion
assert.equal(late.status?.class, 'timeout')

// region spilled
const log = await other.tools.call('log', {})
const whole = other.tools.spilled(log)
console.log('all of it:', whole?.bytes, 'bytes, line 5000:', (await whole?.lines(5_000, 5_000))?.trim())
console.log('found at line', (await whole?.search('line 777\n'))?.matches[0]?.line)
// endregion
assert.equal(await whole?.lines(5_000, 5_000), 'line 5000\n')

// region signal
const watching = other.tools.call('watch', {}, { handle: 'watch-1' })
await other.tools.signal('watch-1', 'reload')
await other.tools.signal('watch-1', 'finish')
console.log('signals:', (await watching).content)
// endregion

// region settings
for (const { name, value, from, isSecret } of await other.settings())
  console.log(`setting ${name}: ${isSecret ? 'a secret' : value}, from the ${from}`)
// endregion

const [one, two] = await Promise.all([other.tools.call('next', {}), other.tools.call('next', {})])
console.log('in turn:', one.content, two.content)

const listed = await other.tools.list().all()
const next = listed.find(({ name }) => name === 'next')?._meta?.['dev.trunkline/contract'] as ToolTerms
console.log('its results depend on:', next.varies?.join(', '))

// region kept
const add = () => other.tools.call('add', { a: 1, b: 2 }, { maxAgeMs: 60_000 })
console.log('kept:', (await add()).content, (await add()).content)
// endregion
assert.deepEqual(sums, [3], 'it was called once')

const [publish] = await mcp.tools.list().all()
console.log('says of itself:', JSON.stringify(publish?._meta?.['dev.trunkline/contract']))
const expects = { ...publish, name: 'publish', inputSchema: { type: 'object', properties: { name: {}, when: {} } } }
const refused = await mcp.tools
  .call('publish', input, { expects: expects as Tool })
  .catch((error: Error) => error.message)
console.log('made for another definition:', refused)

const inside = await other.tools.call('where', {}, { cwd: process.cwd() })
console.log('folder:', JSON.stringify(inside.content))
const outside = await other.tools.call('where', {}, { cwd: '/' })
console.log('elsewhere:', JSON.stringify(outside.content))
assert.equal(outside.isError, true)

await mcp.close()
await stores.close()

// region restart
await using reopened = sqliteStores(file)
await using restarted = await connect(publisher(reopened), { extensions: [contract()] })
const again = await restarted.tools.call('publish', input, { idempotencyKey: 'release-7' })
console.log('after a restart:', again.content, again.isRepeated)
// endregion
assert.deepEqual([world, again.isRepeated], [['lib', 'v1'], true])
