import assert from 'node:assert/strict'
import { test } from 'node:test'
import fc from 'fast-check'
import { InternalError, McpError } from './errors.ts'
import type { Fields, Message } from './messages.ts'
import { Encoded, writeMessage } from './write-message.ts'

const success = (result: Fields): Message => ({ jsonrpc: '2.0', id: 'a', result })
const circular: Record<string, unknown> = {}
circular.self = circular
const inexpressible = {
  bigint: { big: 1n },
  circular,
  'a throwing toJSON': {
    toJSON() {
      throw new Error('no')
    },
  },
}

test('writeMessage: one line that reads back as the message', () => {
  fc.assert(
    fc.property(fc.dictionary(fc.string(), fc.jsonValue()), (result) => {
      const text = writeMessage(success(result))
      assert.doesNotMatch(text, /[\r\n]/)
      assert.deepEqual(JSON.parse(text), JSON.parse(JSON.stringify(success(result))))
    }),
  )
})

test('writeMessage: a batch is one array', () => {
  const batch = [success({}), success({ a: 1 })]
  assert.deepEqual(JSON.parse(writeMessage(batch)), batch)
})

test('writeMessage: an encoded result goes out as it was encoded', () => {
  const text = writeMessage(success(new Encoded('{"b":1.0,"a":"\u2028"}')))
  assert.equal(text, '{"jsonrpc":"2.0","id":"a","result":{"b":1.0,"a":"\u2028"}}')
})

test('Encoded: laid out over several lines it still makes one line', () => {
  const text = writeMessage(success(new Encoded(JSON.stringify({ a: [1, 'x\n'] }, null, 2))))
  assert.equal(text, '{"jsonrpc":"2.0","id":"a","result":{"a":[1,"x\\n"]}}')
})

test('Encoded: means the same to JSON.stringify', () => {
  assert.equal(JSON.stringify(success(new Encoded('{"a":[1]}'))), JSON.stringify(success({ a: [1] })))
})

for (const [name, value] of Object.entries(inexpressible)) {
  test(`writeMessage: a result with ${name} becomes a failure of the same id`, () => {
    const { id, error } = JSON.parse(writeMessage(success(value)))
    assert.equal(id, 'a')
    assert.equal(error.code, InternalError)
    assert.doesNotMatch(error.message, /BigInt|circular|no$/)
  })

  test(`writeMessage: a request with ${name} is refused and did not leave`, () => {
    assert.throws(
      () => writeMessage({ jsonrpc: '2.0', id: 1, method: 'tools/call', params: value }),
      (error) => error instanceof McpError && error.code === 'Misuse' && error.outcome === 'NotSent',
    )
  })
}

test('writeMessage: one inexpressible result does not spoil its batch', () => {
  const [good, bad] = JSON.parse(writeMessage([success({ a: 1 }), success({ big: 1n })]))
  assert.deepEqual(good.result, { a: 1 })
  assert.equal(bad.error.code, InternalError)
})
