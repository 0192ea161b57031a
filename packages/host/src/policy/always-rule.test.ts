import assert from 'node:assert/strict'
import { test } from 'node:test'
import { isDeepStrictEqual } from 'node:util'
import type { Fields } from '@trunkline/mcp'
import fc from 'fast-check'
import type { Act } from '../act/act.ts'
import { alwaysRule, ruleInScope } from './always-rule.ts'
import { parseRule } from './parse-rule.ts'
import { Policy } from './policy.ts'

const act = (more: object) =>
  ({ server: 'files', target: 'remove', class: 'destroys', arguments: {}, ...more }) as Parameters<typeof alwaysRule>[0]

const asked = {
  ...act({ kind: 'call', principal: { id: 'p', name: 'editor', isApprover: false }, effects: [], project: undefined }),
} as Act
const source = { layer: 'user', file: 'x', line: 1 }

function isAllowed(rule: string, args: Fields): boolean {
  const policy = new Policy({ rules: [parseRule('allow', rule, source)] })
  return policy.judge({ ...asked, arguments: args }).effect === 'allow'
}

test('alwaysRule: the tool, and of one that destroys only these very arguments', () => {
  assert.equal(alwaysRule(act({ class: 'writes', arguments: { list: [1] } })), 'files:remove')
  const rule = alwaysRule(act({ arguments: { path: '/a "b", c', force: true, depth: 2 } })) ?? ''
  assert.equal(rule, 'files:remove{=={"depth":2,"force":true,"path":"/a \\"b\\", c"}}')
  assert.equal(isAllowed(rule, { force: true, path: '/a "b", c', depth: 2 }), true)
})

test('alwaysRule: with one argument more, less or other, a call that destroys is asked about', () => {
  const rule = alwaysRule(act({ arguments: { path: '/a' } })) ?? ''
  assert.equal(isAllowed(rule, { path: '/a' }), true)
  for (const args of [
    { path: '/a', recursive: true, force: true },
    { path: '/a', recursive: true },
    { path: ['/a'] },
    { path: ['/a', '/b'] },
    {},
    { path: '/b' },
  ])
    assert.equal(isAllowed(rule, args), false, JSON.stringify(args))
  const listed = alwaysRule(act({ arguments: { paths: ['/a', '/b'], options: { deep: null } } })) ?? ''
  assert.equal(isAllowed(listed, { options: { deep: null }, paths: ['/a', '/b'] }), true)
  assert.equal(isAllowed(listed, { options: { deep: null }, paths: ['/b', '/a'] }), false)
})

test('alwaysRule: property: the rule of some arguments allows those and no others', () => {
  const args = fc.dictionary(fc.string({ minLength: 1, maxLength: 5 }), fc.jsonValue({ maxDepth: 2 }), {
    minKeys: 1,
    maxKeys: 3,
  })
  fc.assert(
    fc.property(args, args, (mine, others) => {
      const [one, other] = [mine, others].map((value) => JSON.parse(JSON.stringify(value)) as Fields)
      const rule = alwaysRule(act({ arguments: one })) ?? ''
      assert.equal(isAllowed(rule, one ?? {}), true)
      assert.equal(isAllowed(rule, other ?? {}), isDeepStrictEqual(one, other))
    }),
  )
})

test('alwaysRule: none where a rule could not say the arguments exactly', () => {
  assert.equal(alwaysRule(act({})), undefined)
  assert.equal(alwaysRule(act({ arguments: { text: 'a'.repeat(5_000) } })), undefined)
  assert.equal(alwaysRule(act({ target: 'a b', class: 'writes' })), undefined)
})

test('alwaysRule: of a skill, this version of it and no other', () => {
  const read = (version: string, path = 'SKILL.md') => ({ name: 'refunds', path, version })
  const skill = { kind: 'skill', target: 'skill://refunds/SKILL.md', class: 'reads' } as const
  const rule = alwaysRule(act({ ...skill, arguments: read('0123456789012345') })) ?? ''
  assert.equal(rule, 'files:@skill{name="refunds",version="0123456789012345"}')
  const policy = new Policy({ rules: [parseRule('allow', rule, source)] })
  const effect = (args: Fields) => policy.judge({ ...asked, ...skill, arguments: args }).effect
  assert.equal(effect(read('0123456789012345', 'letter.md')), 'allow')
  assert.equal(effect(read('123456789012345e')), 'ask')
})

test('alwaysRule: of a call that writes, exactly these arguments where the person wants that', () => {
  const written = act({ class: 'writes', target: 'write', arguments: { path: '/a' } })
  assert.equal(alwaysRule(written, { isExact: true }), 'files:write{=={"path":"/a"}}')
  const none = alwaysRule({ ...written, arguments: {} }, { isExact: true }) ?? ''
  assert.equal(none, 'files:write{=={}}')
  assert.equal(alwaysRule({ ...written, arguments: { text: 'a'.repeat(5_000) } }, { isExact: true }), undefined)
})

test('ruleInScope: the client that asked or all, for ever or until a time', () => {
  const editor = { id: 'p', name: 'editor', isApprover: false } as Act['principal']
  const until = Date.parse('2026-12-24T18:00:00Z')
  assert.equal(ruleInScope('a:b', editor, { clients: 'all' }), 'a:b')
  assert.deepEqual(ruleInScope('a:b', editor, { clients: 'this' }), { match: 'a:b', principal: 'editor' })
  assert.deepEqual(ruleInScope('a:b', editor, { clients: 'all', until }), {
    match: 'a:b',
    until: '2026-12-24T18:00:00.000Z',
  })
})
