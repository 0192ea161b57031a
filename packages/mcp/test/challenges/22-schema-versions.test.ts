import assert from 'node:assert/strict'
import { test } from 'node:test'
import { connect, server, type Tool } from '@trunkline/mcp'
import { contract, definitionHash, schemaNarrowings } from '@trunkline/mcp/contract'
import { z } from 'zod'
import { revisions } from './revisions.ts'

const extensions = [contract()] as const
const name = 'search'
const first = { query: z.string(), limit: z.number().optional() }

const shopOf = (input: z.ZodRawShape, output?: z.ZodRawShape) =>
  server({ name: 'shop', version: '1.0.0', extensions }).tool(
    name,
    { input: z.object(input), ...(output && { output: z.object(output) }) },
    () => ({ found: 1, more: 'x' }) as never,
  )

async function definitionOf(shop: ReturnType<typeof shopOf>): Promise<Tool> {
  await using mcp = await connect(shop)
  const [tool] = await mcp.tools.list().all()
  assert.ok(tool)
  return tool
}

const wider = {
  'nothing changed': first,
  'an argument more that may be given': { ...first, sort: z.string().optional() },
}

const narrower: { readonly [change: string]: [z.ZodRawShape, RegExp] } = {
  'an argument that must be given now': [{ ...first, shop: z.string() }, /input\/shop must be given now/],
  'an argument of another type': [
    { ...first, limit: z.string().optional() },
    /input\/limit is string now, and was number/,
  ],
  'fewer values': [{ ...first, query: z.enum(['a', 'b']) }, /input\/query is one of "a", "b" now/],
  'a lower limit': [{ ...first, limit: z.number().max(5).optional() }, /input\/limit has "maximum" 5 now/],
}

for (const revision of revisions) {
  for (const [change, input] of Object.entries(wider)) {
    test(`schema versions [${revision}]: a client made for the first definition calls one with ${change}`, async () => {
      const expects = await definitionOf(shopOf(first))
      await using mcp = await connect(shopOf(input), { extensions: [contract()], revisions: [revision] })
      assert.equal((await mcp.tools.call(name, { query: 'tea' }, { expects })).isError, undefined)
    })
  }

  for (const [change, [input, message]] of Object.entries(narrower)) {
    test(`schema versions [${revision}]: it refuses one with ${change}, and says what changed`, async () => {
      const expects = await definitionOf(shopOf(first))
      await using mcp = await connect(shopOf(input), { extensions: [contract()], revisions: [revision] })
      await assert.rejects(mcp.tools.call(name, { query: 'tea' }, { expects }), message)
    })
  }

  test(`schema versions [${revision}]: a hash of another definition is refused by the server`, async () => {
    const old = await definitionHash(await definitionOf(shopOf(first)))
    await using mcp = await connect(shopOf({ query: z.string() }), { extensions: [contract()], revisions: [revision] })
    const meta = { 'dev.trunkline/contract': { expects: old } }
    await assert.rejects(
      mcp.tools.call(name, { query: 'tea' }, { meta }),
      /is the hash of another definition of tool "search"/,
    )
  })
}

test('schema versions: results that the caller cannot read are a change too', async () => {
  const expects = await definitionOf(shopOf(first, { found: z.number() }))
  await using mcp = await connect(shopOf(first, { found: z.string() }), { extensions: [contract()] })
  await assert.rejects(
    mcp.tools.call(name, { query: 'tea' }, { expects }),
    /output\/found is number now, and was string/,
  )
})

test('schemaNarrowings: a table of schemas', () => {
  const cases: [before: unknown, now: unknown, narrowed: number][] = [
    [{ type: 'string' }, {}, 0],
    [{ type: 'string' }, true, 0],
    [{ type: 'integer' }, { type: 'number' }, 0],
    [{ type: 'number' }, { type: 'integer' }, 1],
    [{ type: 'string' }, { type: ['string', 'null'] }, 0],
    [{ type: ['string', 'null'] }, { type: 'string' }, 1],
    [{ enum: ['a'] }, { enum: ['a', 'b'] }, 0],
    [{ enum: ['a', 'b'] }, { const: 'a' }, 1],
    [{ maxLength: 5 }, { maxLength: 9 }, 0],
    [{ maxLength: 9 }, { maxLength: 5 }, 1],
    [{}, { pattern: '^a' }, 1],
    [{ pattern: '^a' }, {}, 0],
    [{ anyOf: [{ type: 'string' }] }, { anyOf: [{ type: 'number' }] }, 1],
    [{ items: { type: 'string' } }, { items: { type: 'number' } }, 1],
    [{ properties: { a: {} } }, { properties: {}, additionalProperties: false }, 1],
    [{ properties: { a: { type: 'string' } } }, { properties: {} }, 0],
    [true, false, 1],
  ]
  for (const [before, now, narrowed] of cases)
    assert.equal(schemaNarrowings(before, now).length, narrowed, JSON.stringify([before, now]))
})

test('schemaNarrowings: schemas that are nested without end are not compared without end', () => {
  let [before, now]: unknown[] = [{ type: 'string' }, { type: 'number' }]
  for (let depth = 0; depth < 200; depth++) [before, now] = [{ properties: { a: before } }, { properties: { a: now } }]
  assert.match(schemaNarrowings(before, now)[0]?.what ?? '', /nested too deeply/)
})
