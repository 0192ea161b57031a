import assert from 'node:assert/strict'
import { InvalidParams } from '../../src/index.ts'
import type { Fields } from '../../src/wire/messages.ts'
import { about } from '../fixtures/hotel.ts'
import { turnsUntil } from '../soon.ts'
import { isStateless, meta } from './harness/dress.ts'
import { said } from './harness/said.ts'
import type { Setting } from './harness/setting.ts'
import { revisions } from './requirement.ts'
import { verifies } from './verifies.ts'

verifies('initialize: version is agreed', async ({ raw, revision }) => {
  const end = await raw('hotel', { greet: false })
  const result = await end.result('initialize', end.hello())
  assert.equal(result.protocolVersion, revision)
  assert.equal((result.serverInfo as Fields).name, 'hotel')
  assert.ok((result.capabilities as Fields).tools)
})

verifies('initialize: counter-offer', async ({ raw }) => {
  for (const version of ['2024-10-07', '2030-01-01', 'newest', '2026-07-28']) {
    const end = await raw('hotel', { greet: false })
    const { protocolVersion } = await end.result('initialize', end.hello(version))
    assert.equal(protocolVersion, '2025-11-25', version)
    await end.close()
  }
})

verifies('initialize: counter-offer is taken', async ({ play, revision, sent }) => {
  const client = await play({}, { revisions: revisions.filter((one) => !isStateless(one)) })
  assert.equal(sent('initialize')[0]?.params?.protocolVersion, '2025-11-25')
  assert.equal(client.revision, revision)
  assert.equal(sent('notifications/initialized').length, 1)
})

verifies('initialize: counter-offer is declined', async ({ play, sent }) => {
  const offer = { protocolVersion: '1999-12-31', capabilities: {}, serverInfo: { name: 'old', version: '0' } }
  const declined = { name: 'McpError', code: 'Unsupported', message: /1999-12-31/ }
  await assert.rejects(play({ initialize: [[{ result: offer }]] }), declined)
  assert.deepEqual(
    sent().map(({ method }) => method),
    ['initialize'],
  )
})

verifies('initialize: refusal', async ({ play, sent }) => {
  const data = { supported: ['1999-12-31'], requested: 'this' }
  const error = { code: InvalidParams, message: 'Unsupported protocol version', data }
  await assert.rejects(play({ initialize: [[{ error }]] }), { name: 'RpcError', ...error })
  assert.equal(sent().length, 1)
})

verifies('initialize: order', async ({ open, transcript }) => {
  const client = await open('hotel')
  await client.tools.list().all()
  const order = transcript.lines.map(
    ({ from, message }) => `${from} ${'method' in message ? message.method : 'answers'}`,
  )
  assert.deepEqual(order.slice(0, 4), [
    'client initialize',
    'server answers',
    'client notifications/initialized',
    'client tools/list',
  ])
})

verifies('initialize: introduction', async ({ open, revision, sent }) => {
  const info = { name: 'me', version: '2.0.0' }
  await open('hotel', { info })
  assert.deepEqual(sent('initialize')[0]?.params, { protocolVersion: revision, capabilities: {}, clientInfo: info })
})

verifies('initialize: comes first', async ({ raw }) => {
  const end = await raw('hotel', { fresh: true, greet: false })
  assert.equal((await end.refusal('tools/list')).code, InvalidParams)
  await end.greet()
  await end.result('tools/list')
})

verifies('initialize: bad params', async ({ raw }) => {
  const end = await raw('hotel', { greet: false })
  const { protocolVersion, capabilities, clientInfo } = end.hello()
  const bad = [{}, { protocolVersion, capabilities }, { protocolVersion, clientInfo }, { capabilities, clientInfo }]
  for (const params of bad) assert.equal((await end.refusal('initialize', params)).code, InvalidParams)
  await end.greet()
})

verifies('initialize: server waits for initialized', async ({ raw }) => {
  const end = await raw('changing', { greet: false })
  const toggle = { name: 'toggle', arguments: { kind: 'tools' } }
  await end.result('initialize', end.hello())
  await end.result('tools/call', toggle)
  await end.settled()
  assert.deepEqual(end.told('notifications/tools/list_changed'), [])
  end.notify('notifications/initialized')
  await end.result('tools/call', toggle)
  await end.until(({ method }) => method === 'notifications/tools/list_changed')
})

verifies('initialize: server asks at once', async ({ play, sent }) => {
  const question = { id: 'first', method: 'roots/list' }
  await play({ 'notifications/initialized': [[question]] }, { roots: [{ uri: 'file:///home' }] })
  const answer = () => sent().find(({ id }) => id === question.id)
  await turnsUntil(() => answer() !== undefined, 'the answer of the client')
  assert.deepEqual(answer()?.result, { roots: [{ uri: 'file:///home' }] })
})

verifies('initialize: is never cancelled', async ({ play, sent }) => {
  await assert.rejects(play({ initialize: [[]] }, { timeoutMs: 1_000 }), { code: 'Timeout' })
  assert.deepEqual(
    sent().filter(({ method }) => method !== 'initialize'),
    [],
  )
})

verifies('initialize: again', async ({ raw, revision }) => {
  const end = await raw('hotel')
  const [other] = revisions.filter((one) => one !== revision && !isStateless(one))
  for (const version of [other, revision]) {
    assert.equal((await end.result('initialize', end.hello(version))).protocolVersion, version)
  }
  await end.result('tools/list')
})

verifies('discover: result', async ({ raw }) => {
  const end = await raw('hotel')
  const { capabilities, _meta, ...result } = await end.result('server/discover')
  assert.deepEqual(result, {
    resultType: 'complete',
    supportedVersions: revisions.toReversed(),
    instructions: 'Ring the bell',
    ttlMs: 0,
    cacheScope: 'private',
  })
  assert.ok((capabilities as Fields).tools)
  assert.equal(((_meta as Fields)[meta.serverInfo] as Fields).name, 'hotel')
})

verifies('instructions: reach the client', async ({ open }) => {
  assert.equal((await open('hotel')).instructions, 'Ring the bell')
  assert.equal((await open('bare')).instructions, undefined)
})

verifies('server info: reaches the client', async ({ open }) => {
  const { server } = await open('hotel')
  assert.equal(server?.name, 'hotel')
  assert.equal(server?.version, '1.0.0')
})

/** Name and version of the server, as they travel. */
async function serverInfo({ raw, revision }: Setting): Promise<Fields> {
  const end = await raw('hotel', { greet: false })
  if (!isStateless(revision)) return (await end.result('initialize', end.hello())).serverInfo as Fields
  const { _meta } = await end.result('server/discover')
  return (_meta as Fields)[meta.serverInfo] as Fields
}

verifies('server info: plain', async (setting) => {
  assert.deepEqual(await serverInfo(setting), { name: 'hotel', version: '1.0.0' })
})

verifies('server info: title', async (setting) => {
  assert.equal((await serverInfo(setting)).title, about.title)
})

verifies('server info: icons, description, website', async (setting) => {
  assert.deepEqual(await serverInfo(setting), { name: 'hotel', version: '1.0.0', ...about })
})

verifies('client info: reaches the handler', async ({ open }) => {
  const info = { name: 'me', version: '2.0.0' }
  const client = await open('tools', { info, roots: [] })
  const told = JSON.parse(said(await client.tools.call('caller', {})))
  assert.deepEqual(told.info, info)
  assert.ok(told.capabilities.roots)
})
