import { connect, type Tool } from '@trunkline/mcp'
import { contract, type ToolTerms } from '@trunkline/mcp/contract'
import { publisher, registry, world } from './publisher.ts'

await using mcp = await connect(publisher, { extensions: [contract()] })
await using other = await connect(registry, { extensions: [contract()] })
console.log('needs:', JSON.stringify(mcp.requires))
console.log('replaced by:', mcp.updates?.by, mcp.updates?.from)

// region preview
const input = { name: 'lib', tag: 'v1' }
const { effects, plan } = await mcp.tools.preview('publish', input)
console.log('would:', effects.join(', '))
// endregion
console.log('and did nothing:', world.length === 0)

// region key
const options = { plan, idempotencyKey: 'release-7', want: { detail: 'brief' }, deadlineMs: 5_000 } as const
const first = await mcp.tools.call('publish', input, options)
const second = await mcp.tools.call('publish', input, options)
console.log('one call:', world.join(' '), first.steps, second.isRepeated)
// endregion

// region steps
const failed = await mcp.tools.call('publish', { name: 'other', tag: 'taken' })
for (const { name, state, why } of failed.steps ?? []) console.log(`step ${name}: ${state}`, why ?? '')
// endregion

// region retry
const busy = await other.tools.call('status', {})
console.log('try again in', busy.retry?.afterMs, 'ms')
const { status } = await other.tools.call('status', {}, { idempotencyKey: true })
console.log('exit code:', status?.code)
// endregion

// region want
const total = await other.tools.call('list', {}, { want: { fields: ['/total'], maxBytes: 300 } })
console.log('of', total.leftOut?.bytes, 'bytes came', total.structuredContent)
// endregion

// region deadline
const late = await other.tools.call('wait', {}, { deadlineMs: 500 })
console.log('in time:', late.status?.class)
// endregion

// region spilled
const log = await other.tools.call('log', {})
const whole = other.tools.spilled(log)
console.log('all of it:', whole?.bytes, 'bytes, line 5000:', (await whole?.lines(5_000, 5_000))?.trim())
console.log('found at line', (await whole?.search('line 777\n'))?.matches[0]?.line)
// endregion

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

const [one, two] = [other.tools.call('next', {}), other.tools.call('next', {})]
console.log('in turn:', (await one).content, (await two).content)

const listed = await other.tools.list().all()
const next = listed.find(({ name }) => name === 'next')?._meta?.['dev.trunkline/contract'] as ToolTerms
console.log('its results depend on:', next.varies?.join(', '))

const [publish] = await mcp.tools.list().all()
console.log('says of itself:', JSON.stringify(publish?._meta?.['dev.trunkline/contract']))
const expects = { ...publish, name: 'publish', inputSchema: { type: 'object', properties: { name: {}, when: {} } } }
const refused = await mcp.tools
  .call('publish', input, { expects: expects as Tool })
  .catch((error: Error) => error.message)
console.log('made for another definition:', refused)

const inside = await other.tools.call('where', {}, { cwd: process.cwd() })
console.log('folder:', JSON.stringify(inside.content).includes('packages/lib'))
const outside = await other.tools.call('where', {}, { cwd: '/' }).catch((error: Error) => error)
console.log('elsewhere:', outside instanceof Error || outside.isError)
