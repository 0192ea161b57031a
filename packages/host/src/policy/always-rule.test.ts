import assert from 'node:assert/strict'
import { test } from 'node:test'
import { alwaysRule } from './always-rule.ts'
import { parseRule } from './parse.ts'

const act = (more: object) =>
  ({ server: 'files', target: 'remove', class: 'destroys', arguments: {}, ...more }) as Parameters<typeof alwaysRule>[0]

test('alwaysRule: the tool, and of what destroys only these very arguments', () => {
  assert.equal(alwaysRule(act({ class: 'writes', arguments: { list: [1] } })), 'files:remove')
  const rule = alwaysRule(act({ arguments: { path: '/a "b", c', force: true, depth: 2 } }))
  assert.equal(rule, 'files:remove{path="/a \\"b\\", c", force=true, depth=2}')
  const { conditions } = parseRule('allow', rule ?? '', { layer: 'user', file: 'x', line: 1 })
  assert.deepEqual(
    conditions.map(({ values }) => values[0]),
    ['/a "b", c', true, 2],
  )
})

test('alwaysRule: none where a rule could not say the arguments exactly', () => {
  assert.equal(alwaysRule(act({})), undefined)
  assert.equal(alwaysRule(act({ arguments: { paths: ['/a'] } })), undefined)
  assert.equal(alwaysRule(act({ target: 'a b', class: 'writes' })), undefined)
})
