import assert from 'node:assert/strict'
import { test } from 'node:test'
import fc from 'fast-check'
import { anyCharacter } from '../../../../tools/lib/any-character.ts'
import type { Fields } from './messages.ts'
import { constantMember, writeResult } from './write-result.ts'

class Own {
  readonly mine = 1
  toJSON(): object {
    return { written: this.mine }
  }
}

const inherited = Object.create({ alien: true }, { own: { value: 1, enumerable: true } }) as Fields
const at = new Date(0)

const results: { readonly [name: string]: Fields } = {
  'a text': { content: [{ type: 'text', text: 'a "quoted"\nline \u2028 \ud800' }] },
  'a text and its members in another order': { content: [{ text: 'a', type: 'text' }] },
  'a text with annotations': { content: [{ type: 'text', text: 'a', annotations: { priority: 1 } }] },
  'a text with a member that is not JSON': { content: [{ type: 'text', text: 'a', _meta: undefined }] },
  'a text that is none': { content: [{ type: 'text', text: 1 }] },
  'two texts': {
    content: [
      { type: 'text', text: 'a' },
      { type: 'text', text: 'b' },
    ],
  },
  'no content': { content: [] },
  'content that is not an array': { content: { 0: 'a' } },
  'members that are not JSON': { a: undefined, b: () => 1, c: Symbol('c'), d: 1 },
  'only members that are not JSON': { a: undefined },
  nothing: {},
  'everything a tool returns': { content: [{ type: 'text', text: 'a' }], structuredContent: { at }, isError: true },
  'a member with a toJSON': { structuredContent: new Own(), at },
  'a toJSON of its own': { toJSON: () => ({ own: true }) },
  'a class with a toJSON': new Own() as unknown as Fields,
  'inherited members': inherited,
  'a text with inherited members': {
    content: [Object.assign(Object.create({ toJSON: () => 'x' }), { type: 'text', text: 'a' })],
  },
  'keys to be escaped': { 'a"b': 1, '\n': 2, __proto__: null },
  'numbers that JSON lacks': { a: Number.NaN, b: Number.POSITIVE_INFINITY, c: -0 },
}

for (const [name, result] of Object.entries(results)) {
  test(`writeResult: ${name} is written as JSON.stringify writes it`, () => {
    assert.equal(writeResult(result), JSON.stringify(result))
  })
}

test('writeResult: any JSON is written as JSON.stringify writes it', () => {
  const block = fc.record(
    { type: fc.constantFrom('text', 'image'), text: fc.string({ unit: anyCharacter }) },
    { requiredKeys: [] },
  )
  const known = fc.record({ content: fc.array(block, { maxLength: 2 }), _meta: fc.jsonValue() }, { requiredKeys: [] })
  fc.assert(
    fc.property(known, fc.dictionary(fc.string(), fc.jsonValue()), (result, more) => {
      const whole = { ...result, ...more } as Fields
      assert.equal(writeResult(whole), JSON.stringify(whole))
    }),
  )
})

test('constantMember: is written as it was when it was made, whatever becomes of its source', () => {
  const info = { name: 'a' }
  const _meta = constantMember({ info })
  info.name = 'b'
  assert.equal(writeResult({ _meta }), '{"_meta":{"info":{"name":"a"}}}')
  assert.equal(JSON.stringify({ _meta }), '{"_meta":{"info":{"name":"a"}}}')
})
