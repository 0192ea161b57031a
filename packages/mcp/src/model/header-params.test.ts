import assert from 'node:assert/strict'
import { test } from 'node:test'
import type { Fields } from '../wire/messages.ts'
import { argumentAt, headerParams } from './header-params.ts'

const marked = (type: unknown, name: unknown = 'Region'): Fields => ({ type, 'x-mcp-header': name })
const having = (properties: Fields): Fields => ({ type: 'object', properties })

test('headerParams: a mark is found by its path, however deep among properties', () => {
  const inner = having({ count: marked('integer', 'Count'), loud: marked('boolean', 'Loud') })
  assert.deepEqual(headerParams(having({ region: marked('string'), options: inner, other: { type: 'number' } })), [
    { name: 'Region', path: ['region'] },
    { name: 'Count', path: ['options', 'count'] },
    { name: 'Loud', path: ['options', 'loud'] },
  ])
  assert.deepEqual(headerParams(having({})), [])
})

test('headerParams: a name that appears twice is refused, however it is spelled', () => {
  const twice = having({ one: marked('string', 'Region'), two: marked('string', 'rEGION') })
  assert.equal(headerParams(twice), 'header "region" is named twice')
  const deep = having({ one: marked('string'), in: having({ two: marked('string') }) })
  assert.equal(headerParams(deep), 'header "region" is named twice')
})

for (const type of ['number', 'object', 'array', 'null', undefined, ['string', 'null'], ['string']]) {
  test(`headerParams: an argument of type ${JSON.stringify(type)} cannot be a header`, () => {
    assert.equal(
      headerParams(having({ region: marked(type) })),
      '"region" cannot be a header: only strings, integers and booleans can',
    )
  })
}

for (const name of ['', 'not a name', 'naïve', 'a:b', 'a\r\nb', 7, null, true]) {
  test(`headerParams: ${JSON.stringify(name)} names no header`, () => {
    assert.equal(headerParams(having({ region: marked('string', name) })), '"region" has a header name that is none')
  })
}

for (const [where, schema] of Object.entries<Fields>({
  'the schema itself': { ...having({}), 'x-mcp-header': 'Region' },
  'the items of an array': having({ list: { type: 'array', items: marked('string') } }),
  'one of several schemas': having({ either: { anyOf: [marked('string')] } }),
  'what applies on a condition': { ...having({}), allOf: [having({ region: marked('string') })] },
  'a definition': { ...having({}), $defs: { region: marked('string') } },
})) {
  test(`headerParams: a mark on ${where} is a mistake`, () => {
    assert.equal(headerParams(schema), '"x-mcp-header" stands where no argument is')
  })
}

test('argumentAt: only what the caller wrote itself is found', () => {
  const value = { region: 'north', options: { count: 0 } }
  assert.equal(argumentAt(value, ['region']), 'north')
  assert.equal(argumentAt(value, ['options', 'count']), 0)
  for (const path of [['toString'], ['options', 'constructor'], ['region', 'length'], ['none', 'x'], ['__proto__']]) {
    assert.equal(argumentAt(value, path), undefined, path.join('.'))
  }
})
