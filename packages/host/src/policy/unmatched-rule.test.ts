import assert from 'node:assert/strict'
import { test } from 'node:test'
import { parseRule } from './parse-rule.ts'
import { unmatchedRule } from './unmatched-rule.ts'

const servers = [
  { name: 'orders', tools: ['list', 'cancel'] },
  { name: 'new', tools: [] },
]
const why = (text: string, known = servers) =>
  unmatchedRule(parseRule('deny', text, { layer: 'user', file: 'f', line: 1 }), known)

test('unmatchedRule: names a server that is not configured, with those that are', () => {
  assert.equal(why('nosuch:tool'), 'No server is called "nosuch"; there are orders, new')
  assert.equal(why('order:list'), 'No server is called "order"; did you mean "orders"?')
})

test('unmatchedRule: names a tool that no such server has', () => {
  assert.equal(why('orders:[['), 'No tool of "orders" is called "[["; there are list, cancel')
  assert.equal(why('orders:cancle{id=1}'), 'No tool of "orders" is called "cancle"; did you mean "cancel"?')
})

test('unmatchedRule: says nothing of a rule that may match, nor of tools that are not known', () => {
  for (const text of ['orders:list', 'orders:can*', '*:*', 'orders:@read', 'new:anything', '*:cancel', '*:nothing']) {
    assert.equal(why(text), undefined, text)
  }
  const [orders] = servers
  assert.match(why('*:nothing', orders && [orders]) ?? '', /^No tool of "orders"/)
})
