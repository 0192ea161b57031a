import assert from 'node:assert/strict'
import { test } from 'node:test'
import { type } from 'arktype'
import * as v from 'valibot'
import { z } from 'zod'
import { adapt } from './adapter.ts'
import { formSchema } from './form.ts'
import { SchemaError } from './json-schema/schema-error.ts'

const form = {
  type: 'object',
  properties: {
    name: { type: 'string', title: 'Name', description: 'Your name', minLength: 2, maxLength: 20 },
    mail: { type: 'string', format: 'email' },
    age: { type: 'integer', minimum: 0, maximum: 150 },
    agree: { type: 'boolean' },
    color: { type: 'string', enum: ['green', 'red'], default: 'red' },
    size: { type: 'string', enum: ['m', 's'] },
    only: { type: 'string', enum: ['one'] },
    tags: { type: 'array', minItems: 1, items: { type: 'string', enum: ['x', 'y'] } },
    note: { type: 'string' },
    score: { type: 'number' },
  },
  required: ['name', 'mail', 'age', 'agree', 'size', 'only', 'tags', 'score'],
}

const zodForm = z.strictObject({
  name: z.string().min(2).max(20).regex(/^\w+$/).meta({ title: 'Name', description: 'Your name' }),
  mail: z.email(),
  age: z.int().min(0).max(150),
  agree: z.boolean(),
  color: z.enum(['green', 'red']).default('red'),
  size: z.union([z.literal('m'), z.literal('s')]),
  only: z.literal('one'),
  tags: z.array(z.enum(['x', 'y'])).min(1),
  note: z.string().nullish(),
  score: z.number().positive().multipleOf(0.5).nullable(),
})

const valibotForm = v.strictObject({
  name: v.pipe(
    v.string(),
    v.minLength(2),
    v.maxLength(20),
    v.regex(/^\w+$/),
    v.title('Name'),
    v.description('Your name'),
  ),
  mail: v.pipe(v.string(), v.email()),
  age: v.pipe(v.number(), v.integer(), v.minValue(0), v.maxValue(150)),
  agree: v.boolean(),
  color: v.optional(v.picklist(['green', 'red']), 'red'),
  size: v.union([v.literal('m'), v.literal('s')]),
  only: v.literal('one'),
  tags: v.pipe(v.array(v.picklist(['x', 'y'])), v.minLength(1)),
  note: v.nullish(v.string()),
  score: v.nullable(v.pipe(v.number(), v.gtValue(0), v.multipleOf(0.5))),
})

const arktypeForm = type({
  '+': 'reject',
  name: type('2 <= string <= 20').configure({ title: 'Name', description: 'Your name' } as object),
  mail: 'string.email',
  age: '0 <= number.integer <= 150',
  agree: 'boolean',
  color: "'green' | 'red' = 'red'",
  size: "'m' | 's'",
  only: "'one'",
  tags: "('x' | 'y')[] >= 1",
  'note?': 'string | null',
  score: 'number > 0 | null',
})

test('formSchema: a form written with zod', async () => {
  assert.deepEqual(formSchema(await adapt(zodForm).input()), form)
})

test('formSchema: a form written with valibot', async () => {
  assert.deepEqual(formSchema(await adapt(valibotForm).input()), form)
})

test('formSchema: a form written with arktype, which keeps neither the order of names nor defaults', async () => {
  const { properties, required, ...rest } = formSchema(await adapt(arktypeForm).input())
  const { default: _, ...color } = form.properties.color
  assert.deepEqual({ ...rest, properties }, { type: 'object', properties: { ...form.properties, color } })
  assert.deepEqual((required as string[]).sort(), [...form.required].sort())
})

const titled = [
  { const: 'r', title: 'Red' },
  { const: 'g', title: 'Green' },
]

test('formSchema: titles of literals become those of choices', async () => {
  const withZod = z.object({
    one: z
      .union([z.literal('r').meta({ title: 'Red' }), z.literal('g').meta({ title: 'Green' })])
      .meta({ title: 'One' }),
    many: z.array(z.union([z.literal('r').meta({ title: 'Red' }), z.literal('g').meta({ title: 'Green' })])),
  })
  const color = v.union([v.pipe(v.literal('r'), v.title('Red')), v.pipe(v.literal('g'), v.title('Green'))])
  const withValibot = v.object({ one: v.pipe(color, v.title('One')), many: v.array(color) })
  const expected = {
    type: 'object',
    properties: {
      one: { type: 'string', title: 'One', oneOf: titled },
      many: { type: 'array', items: { anyOf: titled } },
    },
    required: ['one', 'many'],
  }
  assert.deepEqual(formSchema(await adapt(withZod).input()), expected)
  assert.deepEqual(formSchema(await adapt(withValibot).input()), expected)
})

/** The form's version of one field. */
function field(schema: unknown): unknown {
  const { properties } = formSchema({ type: 'object', properties: { it: schema } })
  return (properties as { it: unknown }).it
}

const kept: readonly (readonly [schema: unknown, field: unknown])[] = [
  [
    { type: 'string', format: 'date-time', pattern: 'x', default: 'd' },
    { type: 'string', default: 'd', format: 'date-time' },
  ],
  [{ type: 'string', format: 'ipv4' }, { type: 'string' }],
  [
    { type: 'number', exclusiveMinimum: 0, maximum: 5, multipleOf: 2, default: 4 },
    { type: 'number', default: 4, maximum: 5 },
  ],
  [{ type: 'integer', minimum: -9007199254740991, maximum: 9007199254740991 }, { type: 'integer' }],
  [
    { type: 'boolean', default: false, $comment: 'x' },
    { type: 'boolean', default: false },
  ],
  [
    { type: ['string', 'null'], maxLength: 3, default: null },
    { type: 'string', maxLength: 3 },
  ],
  [{ enum: ['a', null] }, { type: 'string', enum: ['a'] }],
  [
    { type: 'string', enum: ['a', 'b'], enumNames: ['A', 'B'], pattern: 'x' },
    { type: 'string', enum: ['a', 'b'], enumNames: ['A', 'B'] },
  ],
  [
    { type: 'string', enum: ['a', 'b'], enumNames: ['A'] },
    {
      type: 'string',
      oneOf: [
        { const: 'a', title: 'A' },
        { const: 'b', title: 'b' },
      ],
    },
  ],
  [{ oneOf: titled }, { type: 'string', oneOf: titled }],
  [
    { anyOf: [{ enum: ['a', 'b'] }, { anyOf: [{ const: 'c' }, { type: 'null' }] }] },
    { type: 'string', enum: ['a', 'b', 'c'] },
  ],
  [
    { const: 'k', title: 'Kind' },
    { type: 'string', title: 'Kind', enum: ['k'] },
  ],
  [{ const: true }, { type: 'boolean' }],
  [{ enum: [1, 3, 2] }, { type: 'integer', minimum: 1, maximum: 3 }],
  [{ anyOf: [{ const: 1 }, { const: 2.5 }] }, { type: 'number', minimum: 1, maximum: 2.5 }],
  [
    {
      anyOf: [
        { type: 'string', format: 'email' },
        { type: 'string', format: 'uri' },
      ],
    },
    { type: 'string' },
  ],
  [
    { type: 'array', items: { oneOf: titled }, maxItems: 1, uniqueItems: true, default: ['r'] },
    { type: 'array', default: ['r'], maxItems: 1, items: { anyOf: titled } },
  ],
]

for (const [schema, expected] of kept)
  test(`formSchema: a field ${JSON.stringify(schema)}`, () => {
    assert.deepEqual(field(schema), expected)
  })

test('formSchema: definitions are spread out', () => {
  const $defs = { size: { type: 'string', maxLength: 1, title: 'Size' } }
  const json = {
    $ref: '#/$defs/all',
    $defs: { ...$defs, all: { type: 'object', properties: { a: { $ref: '#/$defs/size', title: 'Own' } } } },
  }
  assert.deepEqual(formSchema(json), {
    type: 'object',
    properties: { a: { type: 'string', title: 'Own', maxLength: 1 } },
  })
})

const refused: readonly (readonly [schema: unknown, message: RegExp])[] = [
  [
    { type: 'object', properties: {} },
    /Cannot ask for "it" in a form: forms cannot contain nested objects; make its members/,
  ],
  [{ type: 'array', items: { type: 'string' } }, /a list in a form must be a choice; make its items an enum/],
  [{ type: 'array', items: { type: 'object' } }, /a list in a form must be a choice/],
  [{ anyOf: [{ type: 'string' }, { type: 'number' }] }, /its values have different types; use/],
  [{ enum: ['a', 1] }, /its values have different types/],
  [{}, /its schema does not say what it is/],
  [true, /its schema does not say what it is/],
  [{ type: 'null' }, /its schema does not say what it is/],
  [{ $ref: '#/$defs/none' }, /Cannot resolve \$ref "#\/\$defs\/none"/],
]

for (const [schema, message] of refused)
  test(`formSchema refuses a field ${JSON.stringify(schema)}`, () => {
    assert.throws(
      () => field(schema),
      (error) => error instanceof SchemaError && message.test(error.message),
    )
  })

test('formSchema refuses a root that is no object', () => {
  assert.throws(() => formSchema({ type: 'string' }), /its root must be an object with properties/)
})
