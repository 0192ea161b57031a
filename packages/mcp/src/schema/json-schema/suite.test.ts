import assert from 'node:assert/strict'
import { existsSync, readdirSync, readFileSync } from 'node:fs'
import { dirname, join } from 'node:path'
import { test } from 'node:test'
import { type Fields, isObject } from '../../wire/messages.ts'
import { compile } from './compile.ts'
import { SchemaError } from './schema-error.ts'

/** The JSON Schema Test Suite, where it is at hand: each dialect's folder of files of groups of cases. */
interface Group {
  readonly description: string
  readonly schema: unknown
  readonly tests: readonly { readonly description: string; readonly data: unknown; readonly valid: boolean }[]
}

const dialects = {
  'draft2020-12': 'https://json-schema.org/draft/2020-12/schema',
  'draft2019-09': 'https://json-schema.org/draft/2019-09/schema',
  draft7: 'http://json-schema.org/draft-07/schema#',
}

const remote = /it leads out of the schema, and nothing is fetched/
const customDialect = /dialect "http:\/\/localhost:1234\/.*" is not among/

/** What we refuse to compile, and why; everything else has to be judged as the suite says. */
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

const suite = findSuite()
const met = new Set<unknown>()

for (const [folder, dialect] of Object.entries(dialects))
  for (const trusted of [false, true])
    test(`compile judges ${folder} as the test suite does, patterns ${trusted ? 'native' : 'linear'}`, (t) => {
      const files = join(suite ?? '', folder)
      if (!suite || !existsSync(files)) return t.skip(`no JSON Schema Test Suite for ${folder} beside this repository`)
      const names = readdirSync(files).filter((name) => name.endsWith('.json'))
      assert.ok(names.length > 30)
      for (const name of names) {
        const groups = JSON.parse(readFileSync(join(files, name), 'utf8')) as readonly Group[]
        for (const group of groups) judge(name, { ...group, schema: withDialect(group.schema, dialect) }, trusted)
      }
    })

test('compile refuses nothing of the test suite that it could judge', (t) => {
  if (!suite) return t.skip('no JSON Schema Test Suite beside this repository')
  assert.deepEqual(met, new Set(refused))
})

function judge(file: string, { description, schema, tests }: Group, trusted: boolean): void {
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

function withDialect(schema: unknown, $schema: string): unknown {
  return isObject(schema) ? ({ $schema, ...schema } satisfies Fields) : schema
}

function findSuite(): string | undefined {
  for (let folder = import.meta.dirname; folder !== dirname(folder); folder = dirname(folder)) {
    const suite = join(folder, '..', 'shared', 'corpora', 'json-schema', 'tests')
    if (existsSync(join(folder, 'package.json')) && existsSync(suite)) return suite
  }
  return undefined
}
