import { test } from 'node:test'
import { type } from 'arktype'
import * as v from 'valibot'
import { z } from 'zod'
import type { Fields } from '../wire/messages.ts'
import type { AnySchema, SchemaInput, SchemaOutput } from './adapter.ts'

/** True if two types are the same, both ways and to the letter. */
type Same<One, Other> = (<T>() => T extends One ? 1 : 2) extends <T>() => T extends Other ? 1 : 2 ? true : false

/** Fails to compile when its argument is not `true`. */
function holds<_Claim extends true>(): void {}

/** Infers as a tool definition does. */
function define<const Schema extends AnySchema>(schema: Schema): Schema {
  return schema
}

test('holds: only compiles for types that are the same', () => {
  holds<Same<string, string>>()
  // @ts-expect-error these are not
  holds<Same<{ a?: string }, { a: string }>>()
})

test('SchemaInput and Output: a Standard Schema has those its library infers', () => {
  const zod = define(z.object({ at: z.string().transform(Number), limit: z.number().default(5) }))
  holds<Same<SchemaInput<typeof zod>, { at: string; limit?: number | undefined }>>()
  holds<Same<SchemaOutput<typeof zod>, { at: number; limit: number }>>()
  const valibot = define(v.object({ limit: v.optional(v.number(), 5) }))
  holds<Same<SchemaInput<typeof valibot>, { limit?: number | undefined }>>()
  holds<Same<SchemaOutput<typeof valibot>, { limit: number }>>()
  const arktype = define(type({ limit: 'number = 5' }))
  holds<Same<SchemaInput<typeof arktype>, { limit?: number }>>()
  holds<Same<SchemaOutput<typeof arktype>, { limit: number }>>()
})

test('Input: a literal JSON Schema has the type it describes', () => {
  const schema = define({
    type: 'object',
    properties: {
      text: { type: 'string', minLength: 1 },
      count: { type: 'integer' },
      on: { type: ['boolean', 'null'] },
      kind: { enum: ['a', 'b', 3] },
      version: { const: 2 },
      list: { type: 'array', items: { type: 'object', properties: { x: { type: 'number' } }, required: ['x'] } },
      any: {},
      bag: { type: 'object' },
      rows: { type: 'array' },
    },
    required: ['text', 'kind', 'list'],
  })
  type Expected = {
    text: string
    kind: 'a' | 'b' | 3
    list: { x: number }[]
    count?: number
    on?: boolean | null
    version?: 2
    any?: unknown
    bag?: Fields
    rows?: unknown[]
  }
  holds<Same<SchemaInput<typeof schema>, Expected>>()
  holds<Same<SchemaOutput<typeof schema>, Expected>>()
})

test('Output: a member with a default in a literal JSON Schema is present', () => {
  const schema = define({
    type: 'object',
    properties: { limit: { type: 'integer', default: 5 }, unit: { type: 'string' } },
  })
  holds<Same<SchemaInput<typeof schema>, { limit?: number; unit?: string }>>()
  holds<Same<SchemaOutput<typeof schema>, { limit: number; unit?: string }>>()
})

test('Input: roots that are no objects', () => {
  holds<Same<SchemaInput<{ readonly type: 'array'; readonly items: { readonly type: 'string' } }>, string[]>>()
  holds<Same<SchemaInput<{ readonly type: 'null' }>, null>>()
})

test('Input: a type that is not literal is not guessed', () => {
  holds<Same<SchemaInput<Fields>, unknown>>()
  holds<Same<SchemaInput<{ type: string; properties: { a: { type: string } } }>, unknown>>()
  holds<
    Same<SchemaInput<{ type: 'object'; properties: { a: { type: 'string' } }; required: string[] }>, { a?: string }>
  >()
})

test('AnySchema: takes literals and interfaces of JSON Schema, but nothing that is no object', () => {
  interface TheirJsonSchema {
    type?: string | string[]
  }
  const theirs: TheirJsonSchema = { type: 'object' }
  const taken: AnySchema[] = [{ type: 'object', properties: {}, 'x-own': 1 }, theirs, z.string(), type('string')]
  // @ts-expect-error a string is no schema
  taken.push('object')
})
