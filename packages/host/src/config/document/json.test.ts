import assert from 'node:assert/strict'
import { test } from 'node:test'
import { describeProblem } from '../problem.ts'
import { readJson } from './json.ts'

const sample = `{
  // the servers
  "mcpServers": {
    "github": { "command": "npx", },
  },
  "list": [1, { "a": true }, null],
}
`

test('readJson: comments and trailing commas are fine', () => {
  const { value, problems } = readJson('a.json', sample)
  assert.deepEqual(problems, [])
  assert.deepEqual(value, { mcpServers: { github: { command: 'npx' } }, list: [1, { a: true }, null] })
})

test('readJson: each key has its line; a missing key has that of the nearest one above', () => {
  const { lineOf } = readJson('a.json', sample)
  assert.equal(lineOf(['mcpServers', 'github', 'command']), 4)
  assert.equal(lineOf(['mcpServers', 'github', 'nothing', 'there']), 4)
  assert.equal(lineOf(['mcpServers']), 3)
  assert.equal(lineOf(['list', 1, 'a']), 6)
  assert.equal(lineOf([]), 1)
})

const broken: readonly (readonly [text: string, sentence: string])[] = [
  ['{\n  "a": 1\n  "b": 2\n}', 'a.json:3: is not JSON here (comma expected); put a comma between the two values'],
  ['{\n  "a" 1\n}', 'a.json:2: is not JSON here (colon expected); put a colon after the key'],
  ['{\n  "a": {\n', 'a.json:3: is not JSON here (close brace expected); close the object with }'],
  ['{\n  "a": bad\n}', 'a.json:2: is not JSON here (invalid symbol); put text in double quotes'],
  ['{ "a": "b\n}', 'a.json:1: is not JSON here (unexpected end of string); close the text with a double quote'],
  ['{"a": 1,\n"a": 2}', 'a.json:2: a stands there twice; remove one of them'],
]

for (const [text, sentence] of broken) {
  test(`readJson: ${JSON.stringify(text)} names line and fix`, () => {
    const { problems } = readJson('a.json', text)
    assert.ok(problems.map(describeProblem).includes(sentence), problems.map(describeProblem).join('\n'))
  })
}

test('readJson: the text before the mistake is still read', () => {
  const { value } = readJson('a.json', '{ "a": { "b": 1 }, "c": ')
  assert.deepEqual(value, { a: { b: 1 } })
})

test('readJson: nothing at all is an empty table without problems', () => {
  for (const text of ['', ' \n', '// nothing yet\n', '\uFEFF']) {
    assert.deepEqual(readJson('a.json', text).value, {})
    assert.deepEqual(readJson('a.json', text).problems, [])
  }
})

test('readJson: a mark of the byte order is no part of the text', () => {
  const { value, problems } = readJson('a.json', '\uFEFF{ "a": 1 }')
  assert.deepEqual(value, { a: 1 })
  assert.deepEqual(problems, [])
})

test('readJson: a key named __proto__ is a key like any other', () => {
  const { value } = readJson('a.json', '{ "__proto__": { "polluted": true }, "constructor": 1 }')
  assert.deepEqual(Object.keys(value as object), ['__proto__', 'constructor'])
  assert.equal(({} as { polluted?: boolean }).polluted, undefined)
  assert.equal(Object.getPrototypeOf(value), Object.prototype)
})

test('readJson: text that is nested to break its reader is refused', () => {
  for (const opening of ['[', '{"a":']) {
    const { value, problems } = readJson('a.json', opening.repeat(100_000))
    assert.deepEqual(value, {})
    assert.match(problems.map(describeProblem).join('\n'), /nested deeper than 200; make it flatter/)
  }
})
