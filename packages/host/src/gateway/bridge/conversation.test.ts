import assert from 'node:assert/strict'
import { test } from 'node:test'
import { BridgedConversation } from './conversation.ts'

const request = (id: number, method = 'tools/call') => JSON.stringify({ jsonrpc: '2.0', id, method })
const answer = (id: number) => JSON.stringify({ jsonrpc: '2.0', id, result: {} })
const initialized = '{"jsonrpc":"2.0","method":"notifications/initialized"}'

test('a host that restarted hears the opening again, and the client does not see the answer to it', () => {
  const conversation = new BridgedConversation()
  conversation.fromClient(request(1, 'initialize'))
  assert.equal(conversation.fromHost(answer(1)), answer(1))
  conversation.fromClient(initialized)
  assert.deepEqual(conversation.lost(), [])
  assert.deepEqual(conversation.greeting(), [request(1, 'initialize'), initialized])
  assert.equal(conversation.fromHost(answer(1)), undefined)
  assert.equal(conversation.fromHost(answer(1)), answer(1))
})

test('resources that a client subscribed to are subscribed to again, and it hears once that they may have changed', () => {
  const conversation = new BridgedConversation()
  conversation.fromClient(request(1, 'initialize'))
  conversation.fromHost(answer(1))
  conversation.fromClient(initialized)
  const say = (id: number, method: string, params: object) => {
    conversation.fromClient(JSON.stringify({ jsonrpc: '2.0', id, method, params }))
    conversation.fromHost(answer(id))
  }
  say(2, 'resources/subscribe', { uri: 'book:1' })
  say(3, 'resources/subscribe', { uri: 'book:2' })
  say(4, 'resources/unsubscribe', { uri: 'book:1' })
  say(5, 'logging/setLevel', { level: 'debug' })
  for (const _ of ['once', 'and again']) {
    const again = conversation
      .greeting()
      .slice(2)
      .map((line) => JSON.parse(line))
    assert.deepEqual(
      again.map(({ method, params }) => [method, params]),
      [
        ['logging/setLevel', { level: 'debug' }],
        ['resources/subscribe', { uri: 'book:2' }],
      ],
    )
    for (const { id } of again) assert.equal(conversation.fromHost(JSON.stringify({ id, result: {} })), undefined)
    assert.deepEqual(
      conversation.missed().map((line) => JSON.parse(line).params),
      [{ uri: 'book:2' }],
    )
  }
  for (let at = 0; at < 1_500; at += 1) say(10 + at, 'resources/subscribe', { uri: `many:${at}` })
  assert.equal(conversation.missed().length, 1_000)
})

test('an opening that was not answered is asked again, and its answer passes', () => {
  const conversation = new BridgedConversation()
  conversation.fromClient(request(1, 'initialize'))
  assert.deepEqual(conversation.lost(), [])
  assert.deepEqual(conversation.greeting(), [request(1, 'initialize')])
  assert.equal(conversation.fromHost(answer(1)), answer(1))
})

test('a call under way is answered once: its outcome is unknown', () => {
  const conversation = new BridgedConversation()
  for (const id of [2, 3]) conversation.fromClient(request(id))
  conversation.fromHost(answer(2))
  const [lost, ...more] = conversation.lost()
  assert.deepEqual(more, [])
  assert.equal(JSON.parse(lost ?? '').id, 3)
  assert.match(JSON.parse(lost ?? '').error.message, /whether it was done is not known/)
  assert.deepEqual(conversation.lost(), [])
})

test('ten thousand requests are remembered, and no more', () => {
  const conversation = new BridgedConversation()
  for (let id = 0; id < 10_500; id += 1) conversation.fromClient(request(id))
  assert.equal(conversation.lost().length, 10_000)
})
