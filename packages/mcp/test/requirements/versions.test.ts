import assert from 'node:assert/strict'
import { MissingClientCapability, TrunklineError, UnsupportedVersion } from '../../src/index.ts'
import type { Fields } from '../../src/wire/messages.ts'
import { envelope, isStateless, meta } from './harness/dress.ts'
import { revisions } from './requirement.ts'
import { verifies } from './verifies.ts'

verifies('versions: both kinds on one connection', async ({ raw }) => {
  const end = await raw('hotel')
  const explained = await end.result('tools/list', { _meta: envelope('2026-07-28') })
  assert.equal(explained.resultType, 'complete')
  const plain = await end.result('tools/list')
  assert.ok(!('resultType' in plain))
  assert.deepEqual(explained.tools, plain.tools)
})

verifies('versions: any request may come first', async ({ raw }) => {
  const end = await raw('hotel', { fresh: true })
  await end.result('tools/call', { name: 'ring' })
})

verifies('versions: unsupported', async ({ raw }) => {
  const end = await raw('hotel')
  for (const requested of ['2030-01-01', '2025-11-25', '']) {
    const refusal = await end.refusal('tools/list', { _meta: { [meta.version]: requested } })
    assert.equal(refusal.code, UnsupportedVersion)
    assert.deepEqual(refusal.data, { supported: revisions.toReversed(), requested })
  }
})

verifies('versions: a handshake is refused', async ({ raw, revision }) => {
  const end = await raw('stateless')
  end.send({ jsonrpc: '2.0', id: 'hello', method: 'initialize', params: end.hello('2025-11-25') })
  const { error } = await end.answer('hello')
  assert.equal(error?.code, UnsupportedVersion)
  assert.deepEqual(error?.data, { supported: [revision], requested: '2025-11-25' })
})

verifies('versions: nothing in common', async ({ open, revision }) => {
  const refused = open(isStateless(revision) ? 'handshake' : 'stateless')
  await assert.rejects(refused, (error) => error instanceof TrunklineError && /revision|version/.test(error.message))
})

const refusal = (code: number, data?: Fields) => ({ 'server/discover': [[{ error: { code, message: 'No', data } }]] })

verifies('versions: picked from what is supported', async ({ play, revision, sent }) => {
  const scene = refusal(UnsupportedVersion, { supported: ['1999-12-31', revision], requested: '2026-07-28' })
  const client = await play({ ...scene }, { revisions, probeMs: 60_000 })
  assert.equal(client.revision, revision)
  assert.equal(sent('initialize')[0]?.params?.protocolVersion, revision)
})

verifies('versions: refused for good', async ({ play, sent }) => {
  const scene = refusal(UnsupportedVersion, { supported: ['1999-12-31'], requested: '2026-07-28' })
  await assert.rejects(play(scene, { revisions }), { name: 'RpcError', code: UnsupportedVersion })
  assert.deepEqual(sent('initialize'), [])
})

verifies('versions: discovered first', async ({ play, revision, sent }) => {
  const client = await play({}, { revisions })
  assert.equal(client.revision, revision)
  assert.deepEqual(
    sent().map(({ method }) => method),
    ['server/discover'],
  )
})

verifies('versions: fallback on any error', async ({ play, revision }) => {
  for (const code of [-32601, -32602, -32000, 7]) {
    const client = await play(refusal(code), { revisions })
    assert.equal(client.revision, revision)
  }
})

verifies('versions: fallback on silence', async ({ play, revision }) => {
  const client = await play({ 'server/discover': [[]] }, { revisions, probeMs: 1 })
  assert.equal(client.revision, revision)
})

verifies('versions: fallback on death', async ({ play, revision }) => {
  const client = await play({ 'server/discover': [['exit']] }, { revisions })
  assert.equal(client.revision, revision)
})

verifies('versions: no fallback on a recognised error', async ({ play, sent }) => {
  await assert.rejects(play(refusal(MissingClientCapability), { revisions }), { code: MissingClientCapability })
  assert.deepEqual(sent('initialize'), [])
})
