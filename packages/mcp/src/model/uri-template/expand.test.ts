import assert from 'node:assert/strict'
import { test } from 'node:test'
import { templateGroups } from '../../../test/corpora.ts'
import { parseTemplate, TemplateError } from './uri-template.ts'

const files = { 'spec-examples': 63, 'spec-examples-by-section': 116, 'extended-tests': 42, 'negative-tests': 29 }

for (const [name, count] of Object.entries(files))
  test(`expand: agrees with ${name} of the corpus`, () => {
    let cases = 0
    for (const { variables, testcases } of templateGroups(name))
      for (const [template, expected] of testcases) {
        cases++
        if (expected === false) assert.throws(() => parseTemplate(template).expand(variables), TemplateError, template)
        else assert.ok([expected].flat().includes(parseTemplate(template).expand(variables)), template)
      }
    assert.ok(cases >= count)
  })

test('expand: leaves out null, undefined and empty values, alone and as members', () => {
  const template = parseTemplate('{a}{?b,c*,d,e*}')
  assert.equal(template.expand({ a: null, b: undefined, c: [], d: {}, e: { x: null } }), '')
  assert.equal(template.expand({ c: ['1', null, '2'], e: { x: undefined, y: 3, z: false } }), '?c=1&c=2&y=3&z=false')
})

test('expand: looks at own properties only', () => {
  const template = parseTemplate('x{/constructor,toString,__proto__}')
  assert.equal(template.expand({}), 'x')
  assert.equal(template.expand(JSON.parse('{"__proto__": "a", "constructor": "b"}')), 'x/b/a')
})

test('expand: names the expression whose value does not fit', () => {
  const template = parseTemplate('a/{x}{y:3}')
  assert.throws(() => template.expand({ x: '\ud800' }), /expand URI template at 2: a value holds a lone surrogate/)
  assert.throws(() => template.expand({ y: ['list'] }), /at 5: "y" has a prefix, but its value is a list or map/)
})

test('expand: makes a URI of 8192 bytes and none that is longer', () => {
  const template = parseTemplate('a{x}{y}')
  assert.equal(template.expand({ x: 'b'.repeat(8191) }).length, 8192)
  assert.throws(() => template.expand({ x: 'b'.repeat(8192) }), /at 1: the URI has more than 8192 characters/)
  assert.throws(() => parseTemplate('{x}', { maxUriLength: 5 }).expand({ x: 'éé' }), /more than 5 characters/)
})
