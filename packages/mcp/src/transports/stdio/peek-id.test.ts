import assert from 'node:assert/strict'
import { test } from 'node:test'
import fc from 'fast-check'
import { peekMessage } from './peek-id.ts'

const id = fc.oneof(
  fc.maxSafeInteger().filter((value) => Math.abs(value) < 1e15),
  fc.string({ maxLength: 15 }),
)

function peek(message: object): ReturnType<typeof peekMessage> {
  const text = JSON.stringify(message)
  return peekMessage(text.slice(0, 256), text.slice(-256))
}

test('peekEnvelope: finds id and kind where serialisers put them', () => {
  fc.assert(
    fc.property(id, fc.constantFrom('method', 'result', 'error'), fc.object(), (id, kind, value) => {
      const expected = { id, isResponse: kind !== 'method' }
      const long = { value, padding: 'x'.repeat(1_000), id: 'inner' }
      assert.deepEqual(peek({ jsonrpc: '2.0', id, [kind]: long }), expected)
      assert.deepEqual(peek({ id, jsonrpc: '2.0', [kind]: long }), expected)
      assert.deepEqual(peek({ [kind]: long, jsonrpc: '2.0', id }), expected)
      assert.deepEqual(peek({ jsonrpc: '2.0', [kind]: long, id }), expected)
    }),
  )
})

test('peekEnvelope: an id further inside is not that of the message', () => {
  assert.equal(peek({ jsonrpc: '2.0', method: 'x', params: { id: 1 } }), undefined)
  assert.equal(peek({ jsonrpc: '2.0', result: { text: ',"id":1}' } }), undefined)
  assert.equal(peek({ params: { method: 'x', id: 1 } }), undefined)
})

test('peekEnvelope: a text that is no message has neither', () => {
  for (const text of ['', '{', 'Listening on {"id":1}', '{"id":1}', '{"id":"\\x","method":1']) {
    assert.equal(peekMessage(text, text), undefined, text)
  }
})
