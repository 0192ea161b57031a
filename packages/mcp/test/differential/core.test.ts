import assert from 'node:assert/strict'
import { describe, test } from 'node:test'
import * as core from '@modelcontextprotocol/core'
import type { Arbitrary } from 'fast-check'
import * as z from 'zod'
import type { Fields } from '../../src/wire/messages.ts'
import type { Shape } from '../../src/wire/shape.ts'
import { vocabulary20251125 } from '../../src/wire/vocabularies/2025-11-25.ts'
import { vocabulary20260728 } from '../../src/wire/vocabularies/2026-07-28.ts'
import type { Vocabulary } from '../../src/wire/vocabulary.ts'
import { agree } from './agree.ts'
import { arbitrary, type JsonSchema } from './arbitrary.ts'
import { excuses, narrower } from './excuses.ts'

const runs = 10
const schemas = core as unknown as { readonly [name: string]: z.ZodType }

describe('the schemas of @modelcontextprotocol/core', () => {
  for (const [name, schema] of Object.entries(schemas)) {
    if (!(schema instanceof z.ZodObject) || !(schema.shape.method instanceof z.ZodLiteral)) continue
    const method = String(schema.shape.method.value)
    const older = shapesOf(method, vocabulary20251125)
    const { params, result } = older ?? shapesOf(method, vocabulary20260728) ?? {}
    test(`${method} is known`, () => assert.ok(params))
    const values = valuesOf(schema.shape.params)
    if (params)
      compare(`${method} params`, params, {
        schema: schema.shape.params,
        values: older ? values : values.map(enveloped),
      })
    if (result) compare(`${method} result`, result, { schema: resultOf(name), values: valuesOf(resultOf(name)) })
  }
})

interface Theirs {
  readonly schema: z.ZodType
  readonly values: Arbitrary<unknown>
}

function compare(name: string, shape: Shape, { schema, values }: Theirs): void {
  test(`${name} has the same verdicts`, () => {
    const official = (value: unknown) => schema.safeParse(value).success
    agree({
      shape,
      official,
      values,
      runs,
      excused: ({ path }) => excuses.some(({ at }) => at.test(`${name} ${path}`)),
    })
  })
}

function shapesOf(method: string, { client, server }: Vocabulary): { params: Shape; result?: Shape } | undefined {
  const notification = client.notifications.get(method) ?? server.notifications.get(method)
  return client.requests.get(method) ?? server.requests.get(method) ?? (notification && { params: notification })
}

function resultOf(request: string): z.ZodType {
  const name = request.replace('RequestSchema', 'Result')
  return (schemas[`${name}WithToolsSchema`] ?? schemas[`${name}Schema`] ?? schemas.ResultSchema) as z.ZodType
}

function valuesOf(schema: z.ZodType): Arbitrary<unknown> {
  const { $defs = {}, ...described } = z.toJSONSchema(schema, { unrepresentable: 'any' })
  // the only type that refers to itself is any JSON value
  const definitions = Object.fromEntries(Object.keys($defs).map((name) => [name, true]))
  return arbitrary(narrowed(described) as JsonSchema, definitions)
}

/** The same schema with the properties we narrow replaced, however deep they are. */
function narrowed(schema: unknown): unknown {
  const revive = (key: string, value: unknown) => (key in narrower && typeof value === 'object' ? narrower[key] : value)
  return JSON.parse(JSON.stringify(schema), revive)
}

/** Adds what every request of 2026-07-28 carries, which the schemas of the SDK do not ask for. */
function enveloped(params: unknown): unknown {
  const { _meta, ...rest } = params as { _meta?: Fields }
  const required = {
    'io.modelcontextprotocol/protocolVersion': '2026-07-28',
    'io.modelcontextprotocol/clientCapabilities': {},
  }
  return { ...rest, _meta: { ..._meta, ...required } }
}
