import assert from 'node:assert/strict'
import { test } from 'node:test'
import { parseRule } from './parse-rule.ts'
import { unmatchedRule } from './unmatched-rule.ts'

const servers = [
  { name: 'orders', tools: ['list', 'cancel'] },
  { name: 'new', tools: [] },
]
const source = { layer: 'user', file: 'f', line: 1 }
const why = (text: string, known = servers) => unmatchedRule(parseRule('deny', text, source), known)

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

test('unmatchedRule: names a rule whose time is over', () => {
  const rule = parseRule('allow', { match: 'orders:list', until: '2020-01-01T00:00:00Z' }, source)
  assert.equal(unmatchedRule(rule, servers), 'It ended at 2020-01-01T00:00:00.000Z')
})
