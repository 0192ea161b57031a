import assert from 'node:assert/strict'
import type { Client } from '../../src/index.ts'
import { gate } from '../gate.ts'
import { soon } from '../soon.ts'
import { isStateless } from './harness/dress.ts'
import { witness } from './harness/said.ts'
import { verifies } from './verifies.ts'

verifies('ping: a server answers', async ({ raw }) => {
  const end = await raw('working')
  assert.deepEqual(await end.result('ping'), {})
})

verifies('ping: before the handshake', async ({ raw }) => {
  const end = await raw('working', { fresh: true, greet: false })
  assert.deepEqual(await end.result('ping'), {})
})

verifies('ping: a client answers', async ({ play, sent }) => {
  const client = await play({
    'tools/call': [[{ id: 'are you there', method: 'ping' }]],
    answer: [[{ result: { content: [] } }]],
  })
  await client.tools.call('any', {})
  assert.deepEqual(sent().at(-1), { jsonrpc: '2.0', id: 'are you there', result: {} })
})

verifies('ping: by a client', async ({ open, sent, revision }) => {
  const client = await open('working')
  await client.ping()
  assert.equal(sent().at(-1)?.method, isStateless(revision) ? 'server/discover' : 'ping')
})

/** Aborts a call that is under way; resolves with the reason that its handler heard. */
async function aborted(client: Client): Promise<string> {
  const stop = new AbortController()
  const reason = new Error('enough')
  const call = client.tools.call('hang', {}, { signal: stop.signal })
  await witness(client, 'started')
  stop.abort(reason)
  await assert.rejects(call, reason)
  return witness(client, 'aborted')
}

verifies(['cancel: reaches the handler', 'cancel: rejects with the reason'], async ({ open }) => {
  await aborted(await open('working'))
})

verifies('cancel: tells the reason', async ({ open }) => {
  assert.equal(await aborted(await open('working')), 'enough')
})

verifies('cancel: names the request', async ({ open, sent }) => {
  await aborted(await open('working'))
  const hanging = sent('tools/call').find(({ params }) => params?.name === 'hang')
  const [cancellation, ...others] = sent('notifications/cancelled')
  assert.deepEqual(cancellation?.params, { requestId: hanging?.id, reason: 'enough' })
  assert.deepEqual(others, [])
})

verifies('cancel: no answer', async ({ raw }) => {
  const end = await raw('working')
  end.send(end.request('tools/call', { name: 'hang', _meta: { progressToken: 'hanging' } }, 'hanging'))
  await end.result('tools/call', { name: 'witness', arguments: { event: 'started' } })
  end.notify('notifications/cancelled', { requestId: 'hanging', reason: 'enough' })
  await end.result('tools/call', { name: 'witness', arguments: { event: 'aborted' } })
  await end.settled()
  assert.equal(
    end.heard.find(({ id }) => id === 'hanging'),
    undefined,
  )
  assert.deepEqual(end.told('notifications/progress'), [])
})

verifies(['cancel: nothing to cancel', 'cancel: without an id'], async ({ raw }) => {
  const end = await raw('working')
  await end.ask('tools/call', { name: 'step' }, 'done')
  const before = end.heard.length
  end.notify('notifications/cancelled', { requestId: 'done' })
  end.notify('notifications/cancelled', { requestId: 'unheard of' })
  end.notify('notifications/cancelled', { reason: 'no reason' })
  end.send({ jsonrpc: '2.0', method: 'notifications/cancelled' })
  await end.settled()
  assert.equal(end.heard.length, before + 1)
})

verifies('cancel: late answer', async ({ play }) => {
  const begun = { method: 'notifications/progress', params: { progressToken: '$token', progress: 1 } }
  const calls = [[begun], [{ result: { content: [] } }]]
  const client = await play({ 'tools/call': calls, 'notifications/cancelled': [late] })
  const stop = new AbortController()
  const onProgress = () => stop.abort(new Error('enough'))
  const call = client.tools.call('first', {}, { signal: stop.signal, onProgress })
  await assert.rejects(call, /enough/)
  assert.deepEqual((await client.tools.call('second', {})).content, [])
})

const late = [{ result: { content: [{ type: 'text', text: 'late' }] } }]

verifies('cancel: not yet sent', async ({ open, sent }) => {
  const client = await open('working')
  const reason = new Error('never mind')
  await assert.rejects(client.tools.call('hang', {}, { signal: AbortSignal.abort(reason) }), reason)
  assert.deepEqual(sent('tools/call'), [])
  assert.deepEqual(sent('notifications/cancelled'), [])
})

verifies('cancel: already answered', async ({ open, sent }) => {
  const client = await open('working')
  const stop = new AbortController()
  await client.tools.call('step', {}, { signal: stop.signal })
  stop.abort()
  await client.ping()
  assert.deepEqual(sent('notifications/cancelled'), [])
})

verifies('cancel: takes the question along', async ({ raw }) => {
  const end = await raw('asking', { capabilities: { sampling: {} } })
  end.send(end.request('tools/call', { name: 'sample' }, 'sampling'))
  const question = await end.until(({ method }) => method === 'sampling/createMessage')
  end.notify('notifications/cancelled', { requestId: 'sampling' })
  const cancelled = await end.until(({ method }) => method === 'notifications/cancelled')
  assert.equal(cancelled.params?.requestId, question.id)
})

verifies('cancel: while the user is asked', async ({ open }) => {
  const asked = gate()
  const answer = gate()
  const client = await open('asking', {
    elicitation: async () => {
      asked.open()
      await answer.promise
      return { action: 'accept', content: { name: 'Ada' } }
    },
  })
  const stop = new AbortController()
  const call = client.tools.call('name', {}, { signal: stop.signal })
  await soon(asked.promise, 'the question')
  const reason = new Error('enough')
  stop.abort(reason)
  await assert.rejects(call, reason)
  answer.open()
})
