/** Limits to the resources that one connection may watch, in both shapes of conversation. */
import assert from 'node:assert/strict'
import { test } from 'node:test'
import { InternalError, server } from '@trunkline/mcp'
import { memoryPair } from '@trunkline/mcp/testing'
import { until } from '../../../../tools/lib/until.ts'
import { controlMethods } from '../../src/model/control-methods.ts'
import { Peer } from '../../src/rpc/peer.ts'
import { quiet } from '../fixtures/quiet.ts'
import { handshakes, meta, opening } from './messages.ts'

const uris = Array.from({ length: 6 }, (_, at) => `test:${at}`)

/** A server of which three resources may be watched, and a client of it that sends what it likes. */
function watched(notification: (method: string, params: { readonly [name: string]: unknown }) => void = () => {}) {
  const definition = server({ name: 'watched', ...quiet, limits: { maxSubscriptionsPerConnection: 3 } })
  for (const uri of uris) definition.resource(uri, {}, () => uri)
  const [near, far] = memoryPair()
  definition.serve(far)
  const peer = new Peer(near, { control: controlMethods, request: () => ({}), notification })
  return { definition, peer, [Symbol.asyncDispose]: () => peer.close() }
}

for (const revision of handshakes) {
  for (const isComplete of [true, false]) {
    const when = isComplete ? 'after' : 'before'
    test(`resources/subscribe in ${revision}: so many are watched ${when} the handshake is complete, and no more`, async () => {
      await using it = watched()
      await it.peer.call('initialize', JSON.parse(opening(revision).body).params)
      if (isComplete) await it.peer.notify('notifications/initialized', {})
      const subscribe = (uri: string | undefined) => it.peer.call('resources/subscribe', { uri })
      for (const uri of uris.slice(0, 3)) await subscribe(uri)
      await assert.rejects(subscribe(uris[3]), { code: InternalError, message: /may watch 3 resources/ })
      // one that is watched already is no more than it was
      await subscribe(uris[0])
      await it.peer.call('resources/unsubscribe', { uri: uris[1] })
      await subscribe(uris[3])
      await assert.rejects(subscribe(uris[4]), { code: InternalError })
    })
  }
}

test('subscriptions/listen: a listener hears of the first so many, and is told which', async () => {
  const agreed: unknown[] = []
  const heard: unknown[] = []
  await using it = watched((method, { uri, notifications }) => {
    if (method === 'notifications/subscriptions/acknowledged') agreed.push(notifications)
    if (method === 'notifications/resources/updated') heard.push(uri)
  })
  const filter = { notifications: { resourceSubscriptions: uris }, _meta: meta }
  it.peer.call('subscriptions/listen', filter).catch(() => {})
  await until(() => agreed.length === 1, 'the answer to the filter')
  assert.deepEqual(agreed, [{ resourceSubscriptions: uris.slice(0, 3) }])
  for (const uri of uris.toReversed()) it.definition.resources.updated(uri)
  await until(() => heard.length >= 3, 'the changes')
  await it.peer.call('server/discover', { _meta: meta })
  assert.deepEqual(heard.sort(), uris.slice(0, 3))
})
