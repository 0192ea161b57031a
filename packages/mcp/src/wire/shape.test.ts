import assert from 'node:assert/strict'
import { test } from 'node:test'
import {
  anyObject,
  anything,
  array,
  between,
  boolean,
  describeShapeProblem,
  either,
  extend,
  id,
  integer,
  literal,
  needing,
  number,
  object,
  oneOfWords,
  oneOrMany,
  optional,
  record,
  type Shape,
  string,
  tagged,
  within,
} from './shape.ts'

function accepts(shape: Shape, ...values: unknown[]): void {
  for (const value of values) assert.equal(shape.check(value), undefined, `refused ${JSON.stringify(value)}`)
}

function refuses(shape: Shape, problem: string, ...values: unknown[]): void {
  for (const value of values) {
    const found = shape.check(value)
    assert.equal(found && describeShapeProblem(found), problem, `on ${JSON.stringify(value)}`)
  }
}

test('string, number, integer and boolean take JSON of their type only', () => {
  accepts(string, '', 'a')
  refuses(string, 'must be a string', 1, null, undefined, {}, [])
  accepts(number, 0, -1.5)
  refuses(number, 'must be a number', '1', Number.NaN, Number.POSITIVE_INFINITY, null)
  accepts(integer, 0, -1, 1e21)
  refuses(integer, 'must be an integer', 1.5, '1', null)
  accepts(boolean, true, false)
  refuses(boolean, 'must be true or false', 0, 'true', null)
})

test('id takes strings, and integers that stay what they are', () => {
  accepts(id, '', 'a', 0, 7, 2 ** 53 - 1, 1 - 2 ** 53)
  refuses(id, 'must be a string or an integer below 2^53', 1.5, null, true, 2 ** 53, -(2 ** 53), 1e21)
})

test('anything takes all of JSON, and anyObject its objects', () => {
  accepts(anything, null, 0, '', [], {})
  refuses(anything, 'is required', undefined)
  accepts(anyObject, {}, { a: 1 })
  refuses(anyObject, 'must be an object', [], null, 'a')
})

test('between includes its bounds', () => {
  accepts(between(0, 1), 0, 0.5, 1)
  refuses(between(0, 1), 'must be a number from 0 to 1', -0.1, 1.1, '1', Number.NaN)
})

test('literal and oneOf name what they want', () => {
  accepts(literal('a'), 'a')
  refuses(literal('a'), 'must be "a"', 'b', 0)
  accepts(literal(null), null)
  refuses(literal(null), 'must be null', 'a')
  accepts(oneOfWords('a', 'b'), 'a', 'b')
  refuses(oneOfWords('a', 'b'), 'must be "a" or "b"', 'c', null)
})

test('array says which item is wrong and how many there may be', () => {
  accepts(array(string), [], ['a', 'b'])
  refuses(array(string), 'must be an array', {}, 'a')
  refuses(array(string), '[1] must be a string', ['a', 1])
  accepts(array(string, 2), ['a', 'b'])
  refuses(array(string, 2), 'must hold at most 2 items', ['a', 'b', 'c'])
})

test('oneOrMany takes a value or an array of them', () => {
  accepts(oneOrMany(string), 'a', [], ['a'])
  refuses(oneOrMany(string), 'must be a string', 1)
  refuses(oneOrMany(string), '[0] must be a string', [1])
})

test('record says which member is wrong', () => {
  accepts(record(string), {}, { a: 'b' })
  refuses(record(string), 'must be an object', [], null)
  refuses(record(string), 'a must be a string', { a: 1 })
  refuses(record(string), '["a.b"] must be a string', { 'a.b': 1 })
  refuses(record(string), '__proto__ must be a string', JSON.parse('{"__proto__":1}'))
})

test('object requires its members unless they are optional, and allows others', () => {
  const person = object({ name: string, age: optional(integer) })
  accepts(person, { name: 'a' }, { name: 'a', age: 1 }, { name: 'a', age: undefined }, { name: 'a', other: null })
  refuses(person, 'must be an object', [], null, 'a', undefined)
  refuses(person, 'name is required', {}, { age: 1 }, { name: undefined })
  refuses(person, 'name must be a string', { name: null })
  refuses(person, 'age must be an integer', { name: 'a', age: null })
  assert.deepEqual(person.fields, new Set(['name', 'age']))
  assert.equal(string.fields, undefined)
})

test('optional takes undefined but not null, and keeps the fields', () => {
  const maybe = optional(object({ a: string }))
  accepts(maybe, undefined, { a: '' })
  refuses(maybe, 'must be an object', null)
  assert.deepEqual(maybe.fields, new Set(['a']))
})

test('extend adds and replaces members', () => {
  const shape = extend(object({ a: string, b: string }), { b: optional(integer), c: boolean })
  accepts(shape, { a: '', c: true }, { a: '', b: 1, c: true })
  refuses(shape, 'b must be an integer', { a: '', b: '', c: true })
  assert.deepEqual(shape.fields, new Set(['a', 'b', 'c']))
  assert.throws(() => extend(string, {}), /Cannot read the members of a shape/)
})

test('needing wants one of several members', () => {
  const shape = needing(['a', 'b'], object({ a: optional(string), b: optional(string) }))
  accepts(shape, { a: '' }, { b: '' }, { a: '', b: '' })
  refuses(shape, 'must have "a" or "b"', {}, { c: 1 })
  refuses(shape, 'b must be a string', { a: '', b: 1 })
})

test('tagged picks the case by its tag', () => {
  const shape = tagged('type', { text: object({ text: string }), image: object({ data: string }) })
  accepts(shape, { type: 'text', text: '' }, { type: 'image', data: '' })
  refuses(shape, 'data is required', { type: 'image', text: '' })
  refuses(shape, 'type must be "text" or "image"', { type: 'audio' }, { type: null }, { type: 'constructor' })
  refuses(shape, 'type is required', {})
  refuses(shape, 'must be an object', 'text', null)
})

test('tagged may know what a missing and an unknown tag mean', () => {
  const shape = tagged('mode', { form: object({ a: string }) }, { absent: 'form', others: object({ b: string }) })
  accepts(shape, { a: '' }, { mode: 'form', a: '' }, { mode: 'other', b: '' })
  refuses(shape, 'a is required', {})
  refuses(shape, 'b is required', { mode: 'other', a: '' }, { mode: null })
})

test('either takes what one choice takes, and else tells all complaints once', () => {
  const shape = either(object({ a: string }), object({ b: string }))
  accepts(shape, { a: '' }, { b: '' }, { a: 1, b: '' })
  refuses(shape, 'a must be a string, or b is required', { a: 1 })
  refuses(shape, 'must be an object', 1)
})

test('within builds the path from the inside out', () => {
  const list = object({ tools: array(object({ inputSchema: object({ type: literal('object') }) })) })
  const good = { inputSchema: { type: 'object' } }
  const problem = list.check({ tools: [good, good, good, { inputSchema: { type: 'string' } }] })
  assert.deepEqual(problem, { path: 'tools[3].inputSchema.type', message: 'must be "object"' })
  assert.equal(within('params', { path: '', message: '' }).path, 'params')
})

test('within cuts a name that goes on for ever', () => {
  const problem = record(string).check({ ['a'.repeat(100_000)]: 1 })
  assert.equal(problem?.path, `${'a'.repeat(80)}…`)
})
