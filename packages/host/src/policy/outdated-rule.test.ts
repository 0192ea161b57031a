import assert from 'node:assert/strict'
import { it } from 'node:test'
import { outdatedRule } from './outdated-rule.ts'
import { parseRule } from './parse-rule.ts'
import type { RuleText } from './rule.ts'

const of = (text: RuleText, toolClass?: 'writes' | 'destroys') =>
  outdatedRule(parseRule('allow', text, { layer: 'user', file: 'x', line: 1 }), toolClass)

it('outdatedRule: an older "always" of a tool that destroys, with the rule that means exactly its arguments', () => {
  const always = 'files:remove{path="/a b", force=true}'
  assert.equal(of(always, 'destroys')?.instead, 'files:remove{=={"force":true,"path":"/a b"}}')
  assert.match(of(always)?.why ?? '', /further arguments/)
  assert.equal(of(always, 'writes'), undefined)
  assert.equal(of('files:remove{=={"path":"/a"}}', 'destroys'), undefined)
  assert.equal(of('files:remove{path~/a/**}', 'destroys'), undefined)
})

for (const [pattern, instead] of [
  ['https://good.com*/**', 'https://good.com:*/**'],
  ['https://api.*.com/**', 'https://api.**.com/**'],
  ['https://good.*/**', 'https://good.**/**'],
  ['https://good.com/find*', 'https://good.com/find*?**'],
] as const) {
  it(`outdatedRule: ${pattern} once matched more, which is now ${instead}`, () => {
    assert.equal(of(`web:get{url~${pattern}}`)?.instead, `web:get{url~${instead}}`)
    assert.equal(of(`web:get{url~${instead}}`), undefined)
    assert.match(of({ match: `web:get{url~${pattern}}`, principal: 'x' })?.instead ?? '', /"match":.*"principal":"x"/)
  })
}

it('outdatedRule: a path that can never be allowed has nothing instead', () => {
  for (const pattern of ['/proc/self/**', '/work/[id]/**', '/work/$USER/**']) {
    assert.deepEqual(Object.keys(of(`files:read{path~${pattern}}`) ?? {}), ['why'], pattern)
  }
  for (const pattern of ['/work/**', '~/work/**', '**/x', '**', 'src/*.ts', 'https://*.good.com/**']) {
    assert.equal(of(`files:read{path~${pattern}}`), undefined, pattern)
  }
})
