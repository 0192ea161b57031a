import { connect } from '@trunkline/mcp'
import { contract } from '@trunkline/mcp/contract'
import { publisher, registry, world } from './publisher.ts'

await using mcp = await connect(publisher, { extensions: [contract()] })
await using other = await connect(registry, { extensions: [contract()] })
console.log('needs:', JSON.stringify(mcp.requires))

// #region preview
const input = { name: 'lib', tag: 'v1' }
const { effects, plan } = await mcp.tools.preview('publish', input)
console.log('would:', effects.join(', '))
// #endregion
console.log('and did nothing:', world.length === 0)

// #region key
const options = { plan, idempotencyKey: 'release-7', want: { detail: 'brief' }, deadlineMs: 5_000 } as const
const first = await mcp.tools.call('publish', input, options)
const second = await mcp.tools.call('publish', input, options)
console.log('one call:', world.join(' '), first.steps, second.isRepeated)
// #endregion

// #region steps
const failed = await mcp.tools.call('publish', { name: 'other', tag: 'taken' })
for (const { name, state, why } of failed.steps ?? []) console.log(`step ${name}: ${state}`, why ?? '')
// #endregion

// #region retry
const { status, retry } = await other.tools.call('status', {}, { idempotencyKey: true })
console.log('exit code:', status?.code, 'hint:', retry)
// #endregion

// #region want
const log = await other.tools.call('log', {}, { want: { maxBytes: 300 } })
console.log('of', log.leftOut?.bytes, 'bytes', JSON.stringify(log.content).length, 'came')
// #endregion

// #region deadline
const late = await other.tools.call('wait', {}, { deadlineMs: 500 })
console.log('in time:', late.status?.class)
// #endregion
