import assert from 'node:assert/strict'
import { test } from 'node:test'
import type { Fields, NotificationMessage, RequestMessage } from '../../wire/messages.ts'
import { changesSession, SessionReplay } from './session-replay.ts'

const asking = (method: string, params: Fields = {}): RequestMessage => ({ jsonrpc: '2.0', id: 1, method, params })
const initialize = asking('initialize', { protocolVersion: '2025-11-25' })
const initialized: NotificationMessage = { jsonrpc: '2.0', method: 'notifications/initialized' }
const level = (name: string) => asking('logging/setLevel', { level: name })
const subscribe = (uri: string) => asking('resources/subscribe', { uri })
const unsubscribe = (uri: string) => asking('resources/unsubscribe', { uri })

function after(...messages: readonly (RequestMessage | NotificationMessage)[]): SessionReplay {
  const lasting = new SessionReplay()
  for (const message of messages) lasting.record(message)
  return lasting
}

test('Lasting: the handshake comes first, then what was chosen, whatever the order it was said in', () => {
  const { messages } = after(initialize, subscribe('test:a'), level('error'), initialized, subscribe('test:b'))
  assert.deepEqual(messages, [initialize, initialized, level('error'), subscribe('test:a'), subscribe('test:b')])
})

test('Lasting: of levels the last counts, of subscriptions those that were not undone', () => {
  const said = [level('error'), subscribe('test:a'), subscribe('test:b'), level('debug'), unsubscribe('test:a')]
  assert.deepEqual(after(initialize, ...said).choices, [level('debug'), subscribe('test:b')])
})

test('Lasting: one unsubscribe undoes two subscriptions', () => {
  assert.deepEqual(after(subscribe('test:a'), subscribe('test:a'), unsubscribe('test:a')).choices, [])
})

test('Lasting: a client that sends initialize again starts anew', () => {
  const other = asking('initialize', { protocolVersion: '2025-06-18' })
  assert.deepEqual(after(initialize, initialized, level('error'), subscribe('test:a'), other).messages, [other])
})

test('Lasting: the `_meta` of a request is not kept', () => {
  const _meta = { progressToken: 7 }
  const { choices } = after(
    asking('logging/setLevel', { level: 'error', _meta }),
    asking('resources/subscribe', { uri: 'test:a', _meta }),
  )
  assert.deepEqual(choices, [level('error'), subscribe('test:a')])
})

test('Lasting: nothing else lasts, and nothing does before the handshake', () => {
  for (const method of ['ping', 'tools/call', '__proto__']) {
    assert.equal(changesSession({ method }), false)
    assert.deepEqual(after(initialize, asking(method), { jsonrpc: '2.0', method }).messages, [initialize])
  }
  for (const message of [initialize, initialized, level('error'), subscribe('test:a'), unsubscribe('test:a')]) {
    assert.equal(changesSession(message), true)
  }
  assert.deepEqual(after(initialized, level('error')).messages, [])
})

test('Lasting: of 1 001 subscriptions the oldest is forgotten', () => {
  const uris = Array.from({ length: 1_001 }, (_, at) => `test:${at}`)
  assert.deepEqual(after(...uris.map(subscribe)).choices, uris.slice(1).map(subscribe))
})
