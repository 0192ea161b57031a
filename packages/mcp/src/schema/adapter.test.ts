import assert from 'node:assert/strict'
import { registerHooks } from 'node:module'
import { test } from 'node:test'
import { type } from 'arktype'
import * as v from 'valibot'
import { z } from 'zod'
import * as mini from 'zod/mini'
import { z as z3 } from 'zod/v3'
import { type AnySchema, adapt } from './adapter.ts'
import { SchemaError } from './json-schema/schema-error.ts'
import type { StandardSchema } from './standard.ts'

const libraries = {
  zod: z.object({ name: z.string(), limit: z.number().default(5) }),
  'zod/mini': mini.object({ name: mini.string(), limit: mini._default(mini.number(), 5) }),
  valibot: v.object({ name: v.string(), limit: v.optional(v.number(), 5) }),
  arktype: type({ name: 'string', limit: 'number = 5' }),
} satisfies Record<string, StandardSchema>

for (const [library, schema] of Object.entries(libraries)) {
  test(`adapt: ${library} checks at once and applies defaults`, () => {
    assert.deepEqual(adapt(schema).check({ name: 'x' }), { ok: true, value: { name: 'x', limit: 5 } })
  })

  test(`adapt: ${library} says where a value is wrong`, () => {
    const checked = adapt(schema).check({ name: 'x', limit: 'many' })
    assert.ok(!('then' in checked) && !checked.ok)
    assert.equal(checked.problems.length, 1)
    assert.equal(checked.problems[0]?.path, 'limit')
    assert.match(checked.problems[0]?.message ?? '', /^(?!limit).*number/)
  })

  test(`adapt: ${library} tells apart what goes in and what comes out`, async () => {
    const adapted = adapt(schema)
    const [input, output] = [await adapted.input(), await adapted.output()]
    for (const { type, properties } of [input, output])
      assert.deepEqual(
        { type, names: Object.keys(properties as object).sort() },
        { type: 'object', names: ['limit', 'name'] },
      )
    assert.deepEqual(input.required, ['name'])
  })

  test(`adapt: ${library} is converted once`, async () => {
    const adapted = adapt(schema)
    const json = await adapted.input()
    assert.equal(adapted.input(), json)
  })
}

test('adapt: paths through lists and strange names are spelled as in code', () => {
  const schema = z.object({ rows: z.array(z.object({ 'the name': z.string() })) })
  const checked = adapt(schema).check({ rows: [{ 'the name': 'x' }, {}] })
  assert.ok('problems' in checked)
  assert.equal(checked.problems[0]?.path, 'rows[1]["the name"]')
})

test('adapt: an asynchronous schema is awaited', async () => {
  const checking = adapt(z.string().refine(async (text) => text === 'x', 'must be x'))
  assert.deepEqual(await checking.check('x'), { ok: true, value: 'x' })
  assert.deepEqual(await checking.check('y'), { ok: false, problems: [{ path: '', message: 'must be x' }] })
})

test('adapt: a JSON Schema is handed on as it is, and checked', () => {
  const schema = { type: 'object', properties: { a: { type: 'string', pattern: '^(?=x)' } } }
  assert.throws(() => adapt(schema), SchemaError)
  const adapted = adapt(schema, { trusted: true })
  assert.equal(adapted.input(), schema)
  assert.equal(adapted.output(), schema)
  const value = { a: 'x', b: 1 }
  assert.deepEqual(adapted.check(value), { ok: true, value })
  assert.deepEqual(adapted.check({ a: 1 }), { ok: false, problems: [{ path: 'a', message: 'must be a string' }] })
})

test('adapt: a library that only knows draft-07 is asked for that', () => {
  const convert = ({ target }: { target: string }) => {
    if (target !== 'draft-07') throw new Error(`no ${target}`)
    return { type: 'object' }
  }
  assert.deepEqual(adapt(custom({ jsonSchema: { input: convert, output: convert } })).input(), { type: 'object' })
})

test('adapt: a library with a converter on its schemas needs no standard one', () => {
  const schema = Object.assign(custom({}), { toJsonSchema: () => ({ type: 'object' }) })
  assert.deepEqual(adapt(schema).input(), { type: 'object' })
})

const refused: readonly (readonly [name: string, schema: AnySchema, message: RegExp])[] = [
  [
    'zod 3',
    z3.object({}),
    /Cannot describe the zod schema as JSON Schema: zod offers none before version 4; upgrade it/,
  ],
  ['a transformation', z.string().transform(Number), /the zod schema as JSON Schema: Transforms cannot be represented/],
  [
    'a date',
    z.object({ a: z.array(z.object({ b: z.date() })) }),
    /: a\[\]\.b: Date cannot be .* as z\.iso\.datetime\(\) does/,
  ],
  ['a map', z.object({ m: z.map(z.string(), z.string()) }), /: m: Map cannot be represented .*; use z\.record\(\)/],
  ['a class', z.instanceof(Map), /Custom types cannot be represented .*; use a schema of what JSON has/],
  ['an unknown library', custom({}), /the acme schema as JSON Schema: it offers none; write the JSON Schema by hand/],
]

for (const [name, schema, message] of refused)
  test(`adapt: ${name} without a JSON Schema still checks, and says what to do`, () => {
    const adapted = adapt(schema)
    assert.throws(
      () => adapted.output(),
      (error) => error instanceof SchemaError && message.test(error.message),
    )
    assert.ok('ok' in adapted.check({}))
  })

test('adapt: a type that arktype can check but JSON cannot carry is refused as input, and sent as output', () => {
  const at = adapt(type({ at: 'Date' }))
  assert.throws(() => at.input(), /the arktype schema as JSON Schema: a Date cannot be given.*; describe dates as text/)
  assert.equal((at.output() as { type?: unknown }).type, 'object')
  assert.throws(() => adapt(type({ n: 'bigint' })).input(), /a bigint cannot be given/)
  assert.throws(() => adapt(type({ m: 'Map' })).input(), /an instance of Map cannot be given/)
})

test('adapt: a type that valibot cannot describe is named with the fix', async () => {
  await assert.rejects(async () => adapt(v.object({ at: v.date() })).input(), /describe dates as text, as v\.pipe/)
})

test('adapt: a missing converter is named, and found once it is installed', async () => {
  const adapted = adapt(v.object({}))
  const missing = registerHooks({
    resolve: (specifier, context, next) => {
      if (specifier === '@valibot/to-json-schema') throw new Error('not installed')
      return next(specifier, context)
    },
  })
  await assert.rejects(async () => adapted.input(), /install the package "@valibot\/to-json-schema"/)
  missing.deregister()
  assert.equal((await adapted.input()).type, 'object')
})

test('adapt: a value that is no schema, or only looks like one, is refused', () => {
  class OldLibrary {
    readonly type = 'object'
  }
  assert.throws(() => adapt(new OldLibrary()), /its library does not implement Standard Schema; upgrade the library/)
  for (const schema of ['string', 5, null, undefined, () => ({}), [{ type: 'object' }]] as never[])
    assert.throws(() => adapt(schema), /^SchemaError: Cannot use schema: it is [\w ]+; give a schema of zod/)
  assert.throws(() => adapt({ name: z.string() }), /"name" is a schema itself; make an object schema of such fields/)
  assert.doesNotThrow(() => adapt(Object.assign(Object.create(null), { type: 'object' })))
})

function custom(standard: Partial<StandardSchema['~standard']>): StandardSchema {
  return { '~standard': { version: 1, vendor: 'acme', validate: (value) => ({ value }), ...standard } }
}

/** Optional members that are called as something that every object inherits. */
const inheriting: { readonly [library: string]: AnySchema } = {
  zod: z.object({ constructor: z.string().optional(), valueOf: z.string().optional(), toString: z.any().optional() }),
  'zod/mini': mini.object({ valueOf: mini.optional(mini.string()), constructor: mini.optional(mini.string()) }),
  valibot: v.object({ constructor: v.optional(v.string()), valueOf: v.optional(v.string()) }),
  arktype: type({ 'constructor?': 'string', 'valueOf?': 'string', 'toString?': 'unknown' }),
  'a list in zod': z.object({ inner: z.array(z.object({ hasOwnProperty: z.string().optional() })).optional() }),
  'JSON Schema': { type: 'object', properties: { constructor: { type: 'string' }, valueOf: { type: 'string' } } },
}

for (const [library, schema] of Object.entries(inheriting))
  test(`adapt: in ${library}, a member that is left out is not what its object inherits`, async () => {
    const adapted = adapt(schema)
    for (const isDerived of [false, true]) {
      if (isDerived) await adapted.input()
      for (const given of library === 'a list in zod'
        ? [{}, { inner: [{}] }]
        : [{}, { valueOf: 'x' }, { constructor: 'y' }]) {
        const checked = await adapted.check(given)
        assert.ok(checked.ok, JSON.stringify(checked))
        assert.equal(JSON.stringify(checked.value), JSON.stringify(given))
      }
      const wrong = await adapted.check(
        library === 'a list in zod' ? { inner: [{ hasOwnProperty: 5 }] } : { valueOf: 5 },
      )
      assert.equal(wrong.ok, false)
    }
  })

test('adapt: a value that is no plain data is checked as it is, though the schema names an inherited member', async () => {
  const when = new Date(0)
  const schema = z.object({ when: z.instanceof(Date), constructor: z.string().optional() })
  assert.deepEqual(await adapt(schema).check({ when }), { ok: true, value: { when } })
})
