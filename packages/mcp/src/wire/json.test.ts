import assert from 'node:assert/strict'
import { isUtf8 } from 'node:buffer'
import { test } from 'node:test'
import fc from 'fast-check'
import { jsonDocuments } from '../../test/corpora.ts'
import { ParseError, RpcError } from './errors.ts'
import { type JsonLimits, jsonLimits, parseJson } from './json.ts'

// the suite leaves duplicate keys to the parser, and we refuse them
const refusedOnPurpose = ['y_object_duplicated_key.json', 'y_object_duplicated_key_and_value.json']

function refusal(text: string, limits: JsonLimits = jsonLimits): RpcError {
  try {
    parseJson(text, limits)
  } catch (error) {
    assert.ok(error instanceof RpcError)
    assert.equal(error.code, ParseError)
    return error
  }
  return assert.fail(`accepted ${text.slice(0, 80)}`)
}

test('parseJson: agrees with the parsing corpus', () => {
  const documents = jsonDocuments()
  assert.ok(documents.size > 300)
  for (const [name, bytes] of documents) {
    if (name.startsWith('y_') && !refusedOnPurpose.includes(name)) {
      assert.deepEqual(parseJson(bytes.toString()), JSON.parse(bytes.toString()), name)
    } else if (name.startsWith('i_')) {
      outcome(() => parseJson(bytes.toString()))
    } else if (isUtf8(bytes)) {
      assert.throws(() => parseJson(bytes.toString()), RpcError, name)
    }
  }
})

test('parseJson: takes exactly what JSON.parse takes when no key appears twice', () => {
  fc.assert(
    fc.property(fc.json(), fc.nat(3), (text, indent) => {
      const pretty = JSON.stringify(JSON.parse(text), null, indent)
      assert.deepEqual(parseJson(pretty), JSON.parse(pretty))
    }),
  )
})

test('parseJson: refuses exactly what JSON.parse refuses', () => {
  const damaged = fc
    .tuple(fc.json(), fc.nat(), fc.constantFrom('', '"', ':', ',', '{', ']', '\\', '\u0000'))
    .map(damage)
  fc.assert(
    fc.property(fc.oneof(damaged, fc.string()), (text) => {
      const expected = outcome(() => JSON.parse(text))
      const actual = outcome(() => parseJson(text))
      if (actual.error instanceof RpcError && /twice/.test(actual.error.message)) return
      assert.deepEqual(actual.value, expected.value)
      assert.equal(actual.error instanceof RpcError, expected.error !== undefined)
    }),
  )
})

test('parseJson: a key that appears twice is refused at every level, however it is spelled', () => {
  fc.assert(
    fc.property(
      fc.string(),
      fc.jsonValue(),
      fc.array(fc.constantFrom('[', '{'), { maxLength: 20 }),
      (key, value, path) => {
        const json = JSON.stringify(value)
        const escaped = `"${[...key].map(escapeAll).join('')}"`
        const twice = `{${JSON.stringify(key)}:${json},"other:":[{}],${escaped}:${json}}`
        const text = path.reduce((inner, open) => (open === '[' ? `[":",${inner}]` : `{"in\\"":${inner}}`), twice)
        if (key !== 'other:') assert.match(refusal(text).message, /appears twice$/)
      },
    ),
  )
})

test('parseJson: the same key in different objects is not there twice', () => {
  const text = '{"a":{"a":[{"a":1},{"a":":"}]},"b":{"a":1}}'
  assert.deepEqual(parseJson(text), JSON.parse(text))
})

test('parseJson: names the key that appears twice', () => {
  const error = refusal('{"ok":1,"params":{"name":"a","uri":"x://y","name":"b"}}')
  assert.equal(error.message, 'Cannot read JSON: key "name" appears twice')
  assert.deepEqual(error.data, { reason: 'duplicate', key: 'name' })
})

test('parseJson: a long key that appears twice is shown in part', () => {
  const key = 'k'.repeat(100_000)
  assert.ok(refusal(`{"${key}":1,"${key}":2}`).message.length < 200)
})

test('parseJson: a depth of the limit is read, one more is refused', () => {
  const nested = (depth: number): string => '['.repeat(depth) + ']'.repeat(depth)
  assert.ok(parseJson(nested(64)))
  assert.deepEqual(refusal(nested(65)).data, { reason: 'depth', limit: 64 })
  assert.ok(parseJson(`${nested(64)}${' '.repeat(20_000)}`))
  assert.deepEqual(refusal(`${nested(65)}${' '.repeat(20_000)}`).data, { reason: 'depth', limit: 64 })
})

test('parseJson: 500 000 nested arrays or objects are refused for their depth', () => {
  assert.deepEqual(refusal('['.repeat(500_000) + ']'.repeat(500_000)).data, { reason: 'depth', limit: 64 })
  assert.deepEqual(refusal(`${'{"a":'.repeat(500_000)}1${'}'.repeat(500_000)}`).data, { reason: 'depth', limit: 64 })
})

test('parseJson: a long text with too many keys is refused before it is parsed', () => {
  const many = Array.from({ length: 5_000 }, (_, index) => `"${index}":0`)
  // what follows the keys is never looked at
  const text = `{${many}, not JSON`
  assert.deepEqual(refusal(text, { ...jsonLimits, maxKeys: 100 }).data, { reason: 'keys', limit: 100 })
  assert.equal((refusal(text).data as { reason: string }).reason, 'syntax')
})

test('parseJson: as many keys as the limit are read, one more is refused', () => {
  const wide = (keys: number): string => `{${Array.from({ length: keys }, (_, index) => `"${index}":0`)}}`
  assert.ok(parseJson(wide(100_000)))
  assert.deepEqual(refusal(wide(100_001)).data, { reason: 'keys', limit: 100_000 })
  assert.deepEqual(refusal(wide(4), { ...jsonLimits, maxKeys: 3 }).data, { reason: 'keys', limit: 3 })
})

test('parseJson: as many elements as the limit are read, one more is refused', () => {
  const long = (elements: number): string => `[${Array(elements).fill(0)}]`
  assert.ok(parseJson(long(1_000_000)))
  assert.deepEqual(refusal(long(1_000_001)).data, { reason: 'elements', limit: 1_000_000 })
  assert.deepEqual(refusal('[[1],[2]]', { ...jsonLimits, maxElements: 3 }).data, { reason: 'elements', limit: 3 })
  assert.ok(parseJson('[[1],[2]]', { ...jsonLimits, maxElements: 4 }))
})

test('parseJson: the limits are the same for short and for long texts', () => {
  fc.assert(
    fc.property(fc.json(), fc.nat(3), fc.nat(6), fc.nat(6), (text, maxDepth, maxKeys, maxElements) => {
      const limits = { maxDepth, maxKeys, maxElements }
      const short = outcome(() => parseJson(text, limits))
      const long = outcome(() => parseJson(text + ' '.repeat(20_000), limits))
      assert.deepEqual(long.value, short.value)
      assert.equal(long.error === undefined, short.error === undefined)
    }),
  )
})

test('parseJson: a byte order mark is refused', () => {
  assert.deepEqual(refusal('\uFEFF{}').data, { reason: 'syntax' })
})

test('parseJson: "__proto__" is a key like any other', () => {
  const value = parseJson('{"__proto__":{"polluted":true},"constructor":1}') as object
  assert.deepEqual(Object.keys(value), ['__proto__', 'constructor'])
  assert.equal(Object.getPrototypeOf(value), Object.prototype)
  assert.equal('polluted' in {}, false)
  assert.match(refusal('{"__proto__":1,"__proto__":2}').message, /"__proto__" appears twice/)
})

test('parseJson: half a surrogate pair is data', () => {
  assert.equal(parseJson('"\\ud800"'), '\ud800')
})

function outcome(run: () => unknown): { value?: unknown; error?: unknown } {
  try {
    return { value: run() }
  } catch (error) {
    return { error }
  }
}

function damage([text, where, insert]: [string, number, string]): string {
  const at = where % (text.length + 1)
  return text.slice(0, at) + insert + text.slice(at + 1)
}

function escapeAll(char: string): string {
  return [...Array(char.length).keys()].map((at) => `\\u${char.charCodeAt(at).toString(16).padStart(4, '0')}`).join('')
}
