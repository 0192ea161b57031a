import assert from 'node:assert/strict'
import { it } from 'node:test'
import { until } from '../../../../tools/lib/until.ts'
import { parseRule } from '../../src/policy/parse-rule.ts'
import { textOf } from '../gateway/running-host.ts'
import { keeping, termsWorld } from './terms-world.ts'

const source = { layer: 'user', file: 'trunkline.json', line: 1 }

it('a person who is asked about a call is shown what it would do, and nothing is done before the answer', async () => {
  await using world = await termsWorld({ rules: [parseRule('ask', '*:*', source)] })
  await using mcp = await keeping(world.host)
  const { inbox } = world.host
  const call = mcp.tools.call('kept__publish', { text: 'a' })
  await until(() => inbox.open.length === 1, 'a question')
  const [question] = inbox.open
  assert.deepEqual(question?.detail.preview, ['publish a'])
  assert.deepEqual(world.done(), [], 'a dry run has no effect')
  await inbox.answer(question?.id ?? '', { choice: 'once', by: 'terminal' }, { isLocal: true })
  assert.equal(textOf(await call), 'published')
  assert.deepEqual(world.done(), ['published a'])

  // a server that cannot say it is asked nothing, since it would run the call
  const plain = mcp.tools.call('plain__add', { text: 'b' })
  await until(() => inbox.open.length === 1, 'another question')
  const [other] = inbox.open
  assert.equal(other?.detail.preview, undefined)
  await inbox.answer(other?.id ?? '', { choice: 'refuse', by: 'terminal' }, { isLocal: true })
  assert.equal((await plain).isError, true)
  assert.deepEqual(world.done(), ['published a'])
})

it('a person is asked without a preview when the server takes too long for it', async () => {
  await using world = await termsWorld({ rules: [parseRule('ask', '*:*', source)], ask: { previewMs: 50 } })
  await using mcp = await keeping(world.host)
  const { inbox } = world.host
  const call = mcp.tools.call('kept__brood', {})
  await until(() => inbox.open.length === 1, 'a question')
  const [question] = inbox.open
  assert.equal(question?.detail.preview, undefined)
  await inbox.answer(question?.id ?? '', { choice: 'once', by: 'terminal' }, { isLocal: true })
  assert.equal(textOf(await call), 'brooded')
})
