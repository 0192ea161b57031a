import assert from 'node:assert/strict'
import { test } from 'node:test'
import fc from 'fast-check'
import { type Path, type Value, valueAt } from './document.ts'
import { readJson } from './json.ts'
import { editJson } from './json-edit.ts'

const cases: readonly (readonly [what: string, before: string, path: Path, value: Value | undefined, after: string])[] =
  [
    ['a missing file becomes one', '', ['a', 'b'], 1, '{\n  "a": {\n    "b": 1\n  }\n}\n'],
    ['a comment alone stays', '// c', ['a'], 1, '// c\n{\n  "a": 1\n}\n'],
    ['neighbours keep their form', '{"a":1,"o":{"x":[1,2]}}', ['o', 'y'], 2, '{"a":1,"o":{"x":[1,2], "y": 2}}'],
    [
      'a comment stays with its line',
      '{\r\n\t"a": 1 // one\r\n}\r\n',
      ['b'],
      { c: [] },
      '{\r\n\t"a": 1, // one\r\n\t"b": {\r\n\t\t"c": []\r\n\t}\r\n}\r\n',
    ],
    ['a trailing comma is kept', '{\n  "a": 1,\n}', ['b'], 2, '{\n  "a": 1,\n  "b": 2,\n}'],
    [
      'an empty object is filled',
      '{\n    "a": 1,\n    "o": {}\n}',
      ['o', 'b'],
      2,
      '{\n    "a": 1,\n    "o": {\n        "b": 2\n    }\n}',
    ],
    ['a value is replaced in place', '{ "a": 1, /* x */ "b": "old" }', ['b'], 'new', '{ "a": 1, /* x */ "b": "new" }'],
    ['the last of two equal keys is replaced', '{"a":1,"a":2}', ['a'], 3, '{"a":1,"a":3}'],
    [
      'the last item goes with the comma before it',
      '{\n  "a": 1, // one\n  "b": 2\n}',
      ['b'],
      undefined,
      '{\n  "a": 1 // one\n}',
    ],
    ['the first item goes', '{\n  "a": 1,\n  "b": 2\n}', ['a'], undefined, '{\n  "b": 2\n}'],
    ['a comment never swallows a bracket', '{ // c\n "a": 1 }', ['a'], undefined, '{ // c\n  }'],
    ['an item of a list goes', '{"l": ["a", "b", "c"]}', ['l', 1], undefined, '{"l": ["a", "c"]}'],
    ['what is not there needs no removal', '{"a":1}', ['b', 'c'], undefined, '{"a":1}'],
    ['a mark of the byte order stays', '\uFEFF{"a":1}', ['a'], 2, '\uFEFF{"a":2}'],
  ]

for (const [what, before, path, value, after] of cases) {
  test(`editJson: ${what}`, () => {
    assert.equal(editJson(before, [{ path, value }]), after)
  })
}

test('editJson: one more at the end of a list, which is made when missing', () => {
  assert.equal(editJson('{"l":["a"]}', [{ path: ['l'], append: 'b' }]), '{"l":["a", "b"]}')
  assert.equal(editJson('{"l":[]}', [{ path: ['l'], append: 'b' }]), '{"l":["b"]}')
  assert.equal(editJson('{}', [{ path: ['p', 'l'], append: 'b' }]), '{"p": {"l":["b"]}}')
})

test('editJson: a value in the way is never overwritten by something below it', () => {
  assert.throws(
    () => editJson('{"a":"text"}', [{ path: ['a', 'b'], value: 1 }]),
    /Cannot set "a.b": "a" holds something else/,
  )
  assert.throws(() => editJson('[]', [{ path: ['a'], value: 1 }]), /holds no object/)
})

/** Texts of one value each, written in many ways: white space, comments, trailing commas, either line end. */
function written(lineEnd: '\n' | '\r\n') {
  const trivia = fc.constantFrom(
    '',
    ' ',
    '  ',
    lineEnd,
    `${lineEnd}  `,
    `${lineEnd}\t`,
    ' /* c */ ',
    ` // c${lineEnd}  `,
  )
  const keys = fc.constantFrom('a', 'b', 'c d', 'mcpServers', '__proto__', 'é')
  const { text } = fc.letrec<{ text: string }>((tie) => {
    const item = fc.tuple(trivia, tie('text'), trivia).map((parts) => parts.join(''))
    const joined = (parts: readonly string[], comma: boolean, gap: string) =>
      parts.join(',') + (comma && parts.length > 0 ? `,${gap}` : gap)
    const list = fc
      .tuple(fc.array(item, { maxLength: 3 }), fc.boolean(), trivia)
      .map(([parts, comma, gap]) => `[${joined(parts, comma, gap)}]`)
    const table = fc
      .tuple(
        fc.uniqueArray(fc.tuple(keys, item, trivia), { maxLength: 4, selector: ([key]) => key }),
        fc.boolean(),
        trivia,
      )
      .map(([members, comma, gap]) => {
        const parts = members.map(([key, value, before]) => `${before}${JSON.stringify(key)}:${value}`)
        return `{${joined(parts, comma, gap)}}`
      })
    const plain = fc.constantFrom('1', '"x"', 'true', 'null', '-0.5e3', '"\\u00e9 // no comment"')
    return { text: fc.oneof({ maxDepth: 4, withCrossShrink: true }, plain, list, table) }
  })
  return fc
    .tuple(trivia, fc.uniqueArray(fc.tuple(keys, text), { maxLength: 4, selector: ([key]) => key }), trivia)
    .map(([head, members, tail]) => {
      const parts = members.map(([key, value]) => `${head}${JSON.stringify(key)}: ${value}`)
      return `{${parts.join(',')}${tail}}${lineEnd}`
    })
}

const texts = fc.oneof(written('\n'), written('\r\n'))
// JSON has one zero
const values = fc.jsonValue({ maxDepth: 2 }).map((value) => JSON.parse(JSON.stringify(value)) as Value)

function pathsIn(value: Value, path: Path = []): Path[] {
  if (typeof value !== 'object' || value === null) return [path]
  return [
    path,
    ...Object.entries(value).flatMap(([key, inner]) =>
      pathsIn(inner, [...path, Array.isArray(value) ? Number(key) : key]),
    ),
  ]
}

function read(text: string): Value {
  const { value, problems } = readJson('x', text)
  assert.deepEqual(problems, [], text)
  return value
}

function comments(text: string): number {
  return text.replaceAll('"\\u00e9 // no comment"', '').match(/\/\*|\/\//g)?.length ?? 0
}

test('editJson, any text: the new value is there, everything else is as before', () => {
  fc.assert(
    fc.property(texts, fc.nat(), values, fc.constantFrom('new', 'new key'), (text, pick, value, key) => {
      const before = read(text)
      const paths = pathsIn(before).filter((path) => !Array.isArray(valueAt(before, path)) && isTableAt(before, path))
      const path = [...(paths[pick % paths.length] ?? []), key]
      const after = editJson(text, [{ path, value }])
      assert.deepEqual(valueAt(read(after), path), value)
      assert.deepEqual(read(editJson(after, [{ path, value: undefined }])), before)
      assert.ok(comments(after) >= comments(text))
      if (text.includes('\r\n')) assert.doesNotMatch(after, /(?<!\r)\n/)
    }),
    { numRuns: 500 },
  )
})

test('editJson, any text: an entry put among others and taken away again leaves every byte as it was', () => {
  fc.assert(
    fc.property(texts, fc.nat(), values, (text, pick, value) => {
      const before = read(text)
      const paths = pathsIn(before).filter((path) => {
        const at = valueAt(before, path)
        return isTableAt(before, path) && Object.keys(at as object).length > 0
      })
      if (paths.length === 0) return
      const path = [...(paths[pick % paths.length] ?? []), 'new']
      const after = editJson(text, [{ path, value }])
      assert.equal(editJson(after, [{ path, value: undefined }]), text)
    }),
    { numRuns: 500 },
  )
})

test('editJson, any text: anything can be taken away', () => {
  fc.assert(
    fc.property(texts, fc.nat(), (text, pick) => {
      const before = read(text)
      const paths = pathsIn(before).filter((path) => path.length > 0)
      const path = paths[pick % Math.max(1, paths.length)]
      if (path === undefined) return
      const after = read(editJson(text, [{ path, value: undefined }]))
      const last = path.at(-1)
      const parent = valueAt(after, path.slice(0, -1)) as object
      const size = Object.keys(valueAt(before, path.slice(0, -1)) as object).length
      assert.equal(Object.keys(parent).length, size - 1)
      if (typeof last === 'string') assert.ok(!Object.hasOwn(parent, last))
    }),
    { numRuns: 500 },
  )
})

function isTableAt(value: Value, path: Path): boolean {
  const at = valueAt(value, path)
  return typeof at === 'object' && at !== null && !Array.isArray(at)
}
