import assert from 'node:assert/strict'
import { test } from 'node:test'
import { connect, server } from '@trunkline/mcp'
import { Ajv2020 } from 'ajv/dist/2020.js'
import fc, { type Arbitrary } from 'fast-check'
import { arbitrary, type JsonSchema } from '../differential/arbitrary.ts'

const scalar: Arbitrary<JsonSchema> = fc.oneof(
  fc.record({ type: fc.constant('string') }),
  fc.record({ type: fc.constant('boolean') }),
  fc
    .tuple(fc.integer({ min: -9, max: 9 }), fc.nat(9))
    .map(([minimum, more]) => ({ type: 'integer', minimum, maximum: minimum + more })),
  fc.uniqueArray(fc.string({ maxLength: 3 }), { minLength: 1, maxLength: 3 }).map((values) => ({ enum: values })),
)

const names = ['a', 'b', 'total', 'rows']

/** Schemas of objects, some of them closed, with members that may be missing. */
function objectOf(member: Arbitrary<JsonSchema>): Arbitrary<JsonSchema> {
  return fc
    .record({
      properties: fc.dictionary(fc.constantFrom(...names), member, { minKeys: 1, noNullPrototype: true }),
      isClosed: fc.boolean(),
      required: fc.subarray(names),
    })
    .map(({ properties, isClosed, required }) => ({
      type: 'object',
      properties,
      required: required.filter((name) => name in properties),
      ...(isClosed && { additionalProperties: false }),
    }))
}

const inner = fc.oneof(
  scalar,
  scalar.map((items) => ({ type: 'array', items })),
  objectOf(scalar),
)

/** A schema, and a value that was made for it, or for another one. */
const pairs = objectOf(inner).chain((schema) =>
  fc.record({
    schema: fc.constant(schema as { readonly type: 'object' }),
    value: fc.oneof(
      arbitrary(schema, {}) as Arbitrary<object>,
      objectOf(inner).chain((other) => arbitrary(other, {}) as Arbitrary<object>),
    ),
  }),
)

const referee = new Ajv2020({ strict: false, validateSchema: false })
const judge = (schema: object, value: unknown) => referee.validate(schema, value)

for (const revision of ['2026-07-28', '2025-06-18']) {
  test(`parseable output [${revision}]: the client gets what the handler returned and the schema promises, or an error`, async () => {
    const count = { good: 0, bad: 0 }
    await fc.assert(
      fc.asyncProperty(pairs, async ({ schema, value }) => {
        const shop = server({ name: 'shop', version: '1.0.0', onError: () => {} }).tool(
          'report',
          { output: schema },
          () => value as never,
        )
        await using mcp = await connect(shop, { revisions: [revision] })
        await mcp.tools.list().all()
        const fits = judge(schema, value)
        count[fits ? 'good' : 'bad'] += 1
        const result = await mcp.tools.call('report', {}).catch(() => undefined)
        if (!fits) return assert.ok(result === undefined || result.isError === true)
        assert.ok(result)
        const [text] = result.content as readonly { text: string }[]
        assert.deepEqual([result.structuredContent, JSON.parse(text?.text ?? '')], [value, value])
      }),
      { numRuns: 100 },
    )
    assert.ok(count.good > 10 && count.bad > 10, JSON.stringify(count))
  })

  test(`parseable output [${revision}]: a server that breaks its promise is found out by the client`, async () => {
    const count = { good: 0, bad: 0 }
    await fc.assert(
      fc.asyncProperty(pairs, async ({ schema, value }) => {
        const liar = server({ name: 'liar', version: '1.0.0', onError: () => {} })
          .tool('report', { output: schema }, () => ({}) as never)
          .use(
            (next) => (request) =>
              request.method === 'tools/call' ? { content: [], structuredContent: value } : next(request),
          )
        await using mcp = await connect(liar, { revisions: [revision] })
        await mcp.tools.list().all()
        const fits = judge(schema, value)
        count[fits ? 'good' : 'bad'] += 1
        const call = mcp.tools.call('report', {})
        if (fits) assert.deepEqual((await call).structuredContent, value)
        else await assert.rejects(call, { code: 'InvalidResponse' })
      }),
      { numRuns: 100 },
    )
    assert.ok(count.good > 10 && count.bad > 10, JSON.stringify(count))
  })
}
