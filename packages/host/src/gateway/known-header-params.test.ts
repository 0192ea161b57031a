import assert from 'node:assert/strict'
import { test } from 'node:test'
import { knownHeaderParams } from './known-header-params.ts'

const schema = (header: string) => ({
  type: 'object',
  properties: { region: { type: 'string', 'x-mcp-header': header } },
})

test('the header parameters of a schema are worked out once', () => {
  const one = schema('Region')
  const params = knownHeaderParams(one)
  assert.deepEqual(params, [{ name: 'Region', path: ['region'] }])
  assert.equal(knownHeaderParams(one), params)
})

test('a schema whose marks are wrong has no header parameters', () => {
  assert.deepEqual(knownHeaderParams(schema('two words')), [])
})
