import assert from 'node:assert/strict'
import { test } from 'node:test'
import { readEnvFile } from './env-file.ts'

test('readEnvFile: comments, quotes, export and either line end', () => {
  const text = [
    '# a comment',
    'A=1',
    '  B = two words # a comment',
    'export C="x\\n\\"y\\"" # z',
    "D='${A} $x #'",
    'E=',
    'F=a#b',
    '',
    'not a line',
    '1=x',
    '__proto__=polluted',
  ].join('\r\n')
  const { values, bad } = readEnvFile(`\uFEFF${text}`)
  assert.deepEqual(Object.entries(values), [
    ['A', '1'],
    ['B', 'two words'],
    ['C', 'x\n"y"'],
    ['D', '${A} $x #'],
    ['E', ''],
    ['F', 'a#b'],
    ['__proto__', 'polluted'],
  ])
  assert.deepEqual(bad, [{ line: 9 }, { line: 10 }])
  assert.equal(({} as { polluted?: string }).polluted, undefined)
})
