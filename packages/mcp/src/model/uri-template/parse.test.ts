import assert from 'node:assert/strict'
import { test } from 'node:test'
import { McpError } from '../../wire/errors.ts'
import { parseTemplate, TemplateError } from './uri-template.ts'

test('parseTemplate: names every variable once, in order', () => {
  assert.deepEqual(parseTemplate('{b}/{a,b:3}{?c*,a,last.name,Stra%C3%9Fe}').variables, [
    'b',
    'a',
    'c',
    'last.name',
    'Stra%C3%9Fe',
  ])
  assert.deepEqual(parseTemplate('file:///plain').variables, [])
})

const mistakes: readonly [text: string, position: number, state: RegExp][] = [
  ['a/{id', 2, /no closing brace/],
  ['a}b', 1, /"}" is not allowed outside/],
  ['a b', 1, /" " is not allowed outside/],
  ['a%2', 1, /"%" is not allowed outside/],
  ['a\u007fb', 1, /is not allowed outside/],
  ['a\ud800b', 1, /"\\ud800" is not allowed outside/],
  ['a{}', 2, /"" is not a variable/],
  ['{x,}', 3, /"" is not a variable/],
  ['{?x, y}', 4, /" y" is not a variable/],
  ['{=x}', 1, /"=x" is not a variable/],
  ['{x:10000}', 1, /"x:10000" is not a variable/],
  ['{x}{y{z}}', 4, /"y\{z" is not a variable/],
]

for (const [text, position, state] of mistakes)
  test(`parseTemplate: refuses ${JSON.stringify(text)} at ${position}`, () => {
    assert.throws(
      () => parseTemplate(text),
      (error) => {
        assert.ok(error instanceof TemplateError && error instanceof McpError)
        assert.equal(error.code, 'Misuse')
        assert.equal(error.position, position)
        assert.ok(error.message.startsWith(`Cannot parse URI template at ${position}: `), error.message)
        assert.match(error.message, state)
        return true
      },
    )
  })

test('parseTemplate: a template of 8192 characters is parsed, one more is refused', () => {
  assert.ok(parseTemplate('a'.repeat(8192)))
  assert.throws(() => parseTemplate('a'.repeat(8193)), /at 8192: it has more than 8192 characters/)
  assert.throws(() => parseTemplate('abcd', { maxTemplateLength: 3 }), /more than 3 characters/)
})

test('parseTemplate: 100 expressions are parsed, one more is refused', () => {
  assert.ok(parseTemplate('{x}'.repeat(100)))
  assert.throws(() => parseTemplate('{x}'.repeat(101)), /at 300: it has more than 100 expressions/)
  assert.throws(() => parseTemplate('{x}{y}', { maxExpressions: 1 }), /at 3: it has more than 1 expressions/)
})
