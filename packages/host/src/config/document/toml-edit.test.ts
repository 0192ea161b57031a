import assert from 'node:assert/strict'
import { test } from 'node:test'
import fc from 'fast-check'
import { anyCharacter } from '../../../../../tools/lib/any-character.ts'
import { isTable, type Path, type Value, valueAt } from './document.ts'
import { readToml } from './toml.ts'
import { editToml } from './toml-edit.ts'

const entry = { command: 'trunkline', args: ['stdio'], env: { A: 'b "c"' } }

const cases: readonly (readonly [what: string, before: string, path: Path, value: Value | undefined, after: string])[] =
  [
    [
      'a missing file becomes one',
      '',
      ['mcp_servers', 'x'],
      entry,
      '[mcp_servers.x]\ncommand = "trunkline"\nargs = ["stdio"]\n\n[mcp_servers.x.env]\nA = "b \\"c\\""\n',
    ],
    [
      'a table goes to the end, after an empty line',
      'a = 1 # one\r\n',
      ['t', 'new key'],
      { b: true },
      'a = 1 # one\r\n\r\n[t."new key"]\r\nb = true\r\n',
    ],
    ['a value is replaced in place', '[t]\na = "old" # c\n', ['t', 'a'], 'new', '[t]\na = "new" # c\n'],
    ['a key joins its table', '[t]\na = 1 # c\n# end\n[u]\n', ['t', 'b'], 2, '[t]\na = 1 # c\nb = 2\n# end\n[u]\n'],
    ['a key joins a table without keys', '[t] # c\n[u]\n', ['t', 'b'], 2, '[t] # c\nb = 2\n[u]\n'],
    ['a top key goes before every header', '# c\n[t]\n', ['b'], 2, 'b = 2\n# c\n[t]\n'],
    ['a top key follows the others', 'a = 1\n\n[t]\n', ['b'], 2, 'a = 1\nb = 2\n\n[t]\n'],
    ['braces are added to', 't = { a = 1 } # c\n', ['t', 'b'], { c: [] }, 't = { a = 1, b = { c = [] } } # c\n'],
    ['empty braces are filled', 't = {}\n', ['t', 'b'], 1, 't = { b = 1 }\n'],
    [
      'a table goes with those below it and nothing else',
      'x = 1\n\n# keep\n[t.a]\nb = 1\n\n[t.a.env]\nc = 2\n\n# about u\n[u]\n',
      ['t', 'a'],
      undefined,
      'x = 1\n\n# keep\n\n# about u\n[u]\n',
    ],
    ['dotted keys go', 't.a.b = 1\nt.a.c = 2 # c\nt.d = 3\n', ['t', 'a'], undefined, 't.d = 3\n'],
    ['a pair in braces goes', 't = { a = 1, b = 2, c = 3 }\n', ['t', 'b'], undefined, 't = { a = 1, c = 3 }\n'],
    ['the first pair in braces goes', 't = { a = 1, b = 2 }\n', ['t', 'a'], undefined, 't = { b = 2 }\n'],
    ['what is not there needs no removal', 'a = 1\n', ['b'], undefined, 'a = 1\n'],
  ]

for (const [what, before, path, value, after] of cases) {
  test(`editToml: ${what}`, () => {
    assert.equal(editToml(before, [{ path, value }]), after)
  })
}

test('editToml: one more at the end of a list', () => {
  assert.equal(editToml('[t]\nl = ["a"]\n', [{ path: ['t', 'l'], append: 'b' }]), '[t]\nl = ["a", "b"]\n')
})

test('editToml: null is refused, as TOML has none', () => {
  assert.throws(() => editToml('', [{ path: ['a'], value: null }]), /TOML has no such value/)
})

/** Texts with tables, dotted keys, braces and comments, in either line end. */
const texts = fc
  .record({
    lineEnd: fc.constantFrom('\n', '\r\n'),
    top: fc.subarray(['model = "m" # c', 'mcp_servers.dotted.command = "a"', "q = '''\nx\n'''", '# alone']),
    tables: fc.subarray([
      '[mcp_servers.one]\ncommand = "npx"\nargs = [ "-y", # y\n "z" ]',
      '[mcp_servers.one.env]\nT = "s"',
      '# about two\n[mcp_servers."tw o"]\nurl = "https://e.com"\nhttp_headers = { A = "b", C = "d" }',
      '[other]',
      '[[list]]\nx = 1',
      '[[list]]\nx = 2',
    ]),
    gap: fc.constantFrom('\n', '\n\n', '\n# between\n'),
  })
  .map(({ lineEnd, top, tables, gap }) => {
    const text = [...top, ...tables].join(gap)
    return (text === '' ? '' : `${text}\n`).replaceAll('\n', lineEnd)
  })

const values: fc.Arbitrary<Value> = fc.oneof(
  fc.string({ unit: anyCharacter }).map((text) => text.replaceAll(/\p{Surrogate}/gu, '')),
  fc.integer(),
  fc.boolean(),
  fc.array(fc.string(), { maxLength: 3 }),
  fc.dictionary(
    fc.string({ minLength: 1 }).filter((key) => key !== '__proto__'),
    fc.string(),
    { maxKeys: 3, noNullPrototype: true },
  ),
)

function read(text: string): Value {
  const { value, problems } = readToml('x', text)
  assert.deepEqual(problems, [], text)
  return value
}

function pathsIn(value: Value, path: Path = []): Path[] {
  if (!isTable(value)) return [path]
  return [path, ...Object.entries(value).flatMap(([key, inner]) => pathsIn(inner, [...path, key]))]
}

test('editToml, any text: the new value is there, everything else is as before', () => {
  fc.assert(
    fc.property(texts, fc.nat(), values, (text, pick, value) => {
      const before = read(text)
      const tables = pathsIn(before).filter((path) => isTable(valueAt(before, path)))
      const path = [...(tables[pick % tables.length] ?? []), 'new key']
      const after = editToml(text, [{ path, value }])
      assert.deepEqual(valueAt(read(after), path), value)
      assert.deepEqual(read(editToml(after, [{ path, value: undefined }])), before)
      if (text.includes('\r\n')) assert.doesNotMatch(after, /(?<!\r)\n/)
    }),
    { numRuns: 500 },
  )
})

test('editToml, any text: a server put in and taken away again leaves every byte as it was', () => {
  fc.assert(
    fc.property(texts, (text) => {
      const path = ['mcp_servers', 'trunkline']
      const after = editToml(text, [{ path, value: entry }])
      assert.equal(editToml(after, [{ path, value: undefined }]), text)
    }),
    { numRuns: 500 },
  )
})

test('editToml, any text: anything can be taken away, and comments outside of it stay', () => {
  fc.assert(
    fc.property(texts, fc.nat(), (text, pick) => {
      const before = read(text)
      const paths = pathsIn(before).filter((path) => path.length > 0)
      const path = paths[pick % Math.max(1, paths.length)]
      if (path === undefined) return
      const after = editToml(text, [{ path, value: undefined }])
      assert.equal(valueAt(read(after), path), undefined)
      if (!text.includes('# between')) return
      assert.ok(after.includes('# between'))
    }),
    { numRuns: 500 },
  )
})
