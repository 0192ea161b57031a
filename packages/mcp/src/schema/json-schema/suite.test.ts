import assert from 'node:assert/strict'
import { test } from 'node:test'
import { lacking } from '../../../../../tools/lib/needs.ts'
import { hasSuite, type SuiteGroup, suiteGroups, withDialect } from '../../../test/json-schema-suite.ts'
import { compile } from './compile.ts'
import { SchemaError } from './schema-error.ts'

const dialects = {
  'draft2020-12': 'https://json-schema.org/draft/2020-12/schema',
  draft7: 'http://json-schema.org/draft-07/schema#',
}

const remote = /it points outside the schema, and nothing is fetched/
const customDialect = /dialect "http:\/\/localhost:1234\/.*" is not among/

/** Groups that we refuse to compile, and why; all others have to be judged as the suite says. */
const refused: readonly (readonly [file: string, group: RegExp, why: RegExp])[] = [
  ['refRemote.json', /./, remote],
  ['ref.json', /^remote ref, containing refs itself$/, remote],
  ['defs.json', /^validate definition against metaschema$/, remote],
  ['definitions.json', /^validate definition against metaschema$/, remote],
  ['dynamicRef.json', /^strict-tree schema, guards against misspelled properties$/, remote],
  ['dynamicRef.json', /^tests for implementation dynamic anchor and reference link$/, remote],
  ['dynamicRef.json', /^\$ref and \$dynamicAnchor are independent of order/, remote],
  ['dynamicRef.json', /^\$ref to \$dynamicRef finds detached \$dynamicAnchor$/, remote],
  ['vocabulary.json', /./, customDialect],
]

const skip = lacking('beside', hasSuite)
const met = new Set<unknown>()

for (const [folder, dialect] of Object.entries(dialects))
  for (const trusted of [false, true])
    test(`compile judges ${folder} as the test suite does, patterns ${trusted ? 'native' : 'linear'}`, { skip }, () => {
      for (const [name, group] of suiteGroups(folder))
        judge(name, { ...group, schema: withDialect(group.schema, dialect) }, trusted)
    })

test('compile refuses nothing of the test suite that it could judge', { skip }, () => {
  assert.deepEqual(met, new Set(refused))
})

function judge(file: string, { description, schema, tests }: SuiteGroup, trusted: boolean): void {
  const refusal = refused.find(([name, group]) => name === file && group.test(description))
  if (refusal) {
    const [, , why] = refusal
    met.add(refusal)
    const isExpected = (error: unknown) => error instanceof SchemaError && why.test(error.message)
    return assert.throws(() => compile(schema, { trusted }), isExpected, `${file}: ${description}`)
  }
  const validate = compile(schema, { trusted })
  for (const { description: criterion, data, valid } of tests)
    assert.equal(validate(data).length === 0, valid, `${file}: ${description}: ${criterion}`)
}
