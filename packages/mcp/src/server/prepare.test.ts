import assert from 'node:assert/strict'
import { registerHooks } from 'node:module'
import { test } from 'node:test'
import * as v from 'valibot'
import { z } from 'zod'
import { everyRevision, join } from '../testing/revisions.ts'
import { memoryPair } from '../transports/memory.ts'
import { server } from './server.ts'

function warned() {
  const warnings: string[] = []
  return {
    warnings,
    cafe: server({ name: 'test', version: '1.0.0', onWarning: (message) => warnings.push(message) }),
  }
}

test('a tool that cannot be described hides only itself, in every revision', async () => {
  const { cafe } = warned()
  const all = cafe
    .tool('good', { input: z.object({ city: z.string() }) }, () => 'x')
    .tool('remind', { input: z.object({ when: z.date() }) }, () => 'x')
    .tool('echo', { input: z.string() as never }, () => 'x')
    .tool('count', { output: z.object({ n: z.bigint() }) }, () => ({ n: 1n }))
  await everyRevision(all, async ({ client }) => {
    assert.deepEqual(
      (await client.tools.list().all()).map(({ name }) => name),
      ['good'],
    )
    await assert.rejects(client.tools.call('remind', {} as never), {
      code: -32602,
      message: 'Cannot call tool "remind": no such tool',
    })
  })
})

test('schemas are compiled when serving starts, before any list request, and each mistake is told once with its fix', () => {
  const { cafe, warnings } = warned()
  cafe
    .tool('remind', { input: z.object({ when: z.date() }) }, () => 'x')
    .tool('echo', { input: z.string() as never }, () => 'x')
    .tool('count', { output: z.object({ n: z.bigint() }) }, () => ({ n: 1n }))
  assert.deepEqual(warnings, [])
  cafe.serve(memoryPair()[0])
  cafe.serve(memoryPair()[0])
  assert.deepEqual(warnings, [
    'Tool "remind" is not offered: input: Cannot describe the zod schema as JSON Schema: when: Date cannot be represented in JSON Schema; describe dates as text, as z.iso.datetime() does',
    'Tool "echo" is not offered: Cannot use the input of tool "echo": its schema allows other values than objects; put the value into an object, as in { value: … }',
    'Tool "count" is not offered: output: Cannot describe the zod schema as JSON Schema: n: BigInt cannot be represented in JSON Schema; use z.int(), or text of digits',
  ])
})

test('a tool that comes later, or on a mounted server, is prepared at once', () => {
  const { cafe, warnings } = warned()
  cafe.serve(memoryPair()[0])
  cafe.tool('late', { input: z.object({ when: z.date() }) }, () => 'x')
  assert.match(warnings.shift() ?? '', /^Tool "late" is not offered: input: .*when: Date/)
  const shop = warned()
  shop.cafe.tool('remind', { input: z.object({ when: z.date() }) }, () => 'x')
  cafe.mount('shop', shop.cafe)
  assert.match(shop.warnings[0] ?? '', /^Tool "remind" is not offered/)
  assert.deepEqual(warnings, [])
})

test('a converter that is not installed hides the tools that need it, and says which package to install', async () => {
  const missing = registerHooks({
    resolve: (specifier, context, next) => {
      if (specifier === '@valibot/to-json-schema') throw new Error('not installed')
      return next(specifier, context)
    },
  })
  const { cafe, warnings } = warned()
  const both = cafe.tool('plain', {}, () => 'x').tool('odd', { input: v.object({ a: v.string() }) }, () => 'x')
  await using pair = await join(both)
  assert.deepEqual(
    (await pair.client.tools.list().all()).map(({ name }) => name),
    ['plain'],
  )
  missing.deregister()
  assert.deepEqual(warnings, [
    'Tool "odd" is not offered: input: Cannot describe the valibot schema as JSON Schema: install the package "@valibot/to-json-schema", or wrap the schema with its toStandardJsonSchema()',
  ])
  await assert.rejects(pair.client.tools.call('odd', { a: 'x' }), { code: -32602 })
})

test('when nothing of a feature can be shown, it is not declared', async () => {
  const { cafe } = warned()
  await using pair = await join(cafe.tool('remind', { input: z.object({ when: z.date() }) }, () => 'x'))
  assert.equal(pair.client.capabilities.tools, undefined)
})

test('a header that no client could send is told', () => {
  const { cafe, warnings } = warned()
  const input = { type: 'object', properties: { list: { type: 'array', 'x-mcp-header': 'List' } } } as const
  cafe.tool('a', { input }, () => 'x').serve(memoryPair()[0])
  assert.match(
    warnings[0] ?? '',
    /^Tool "a" may be refused by clients that send arguments as headers: "list" cannot be/,
  )
})

test('a prompt hides only itself; completers for nothing and arguments that no text can be are told', async () => {
  const { cafe, warnings } = warned()
  const all = cafe
    .prompt('bad', { arguments: z.object({ when: z.date() }) }, () => 'x')
    .prompt('typo', { arguments: z.object({ mood: z.string() }), complete: { moood: () => [] } }, () => 'x')
    .prompt('count', { arguments: z.object({ n: z.number(), on: z.boolean().optional() }) }, () => 'x')
    .prompt(
      'fine',
      {
        arguments: z.object({
          n: z.coerce.number(),
          on: z.stringbool().optional(),
          size: z.union([z.literal(1), z.literal('one')]).optional(),
        }),
      },
      ({ n }) => `${n + 1}`,
    )
  await using pair = await join(all)
  assert.deepEqual(
    (await pair.client.prompts.list().all()).map(({ name }) => name),
    ['typo', 'count', 'fine'],
  )
  const fix = 'can never be given: clients send text alone; take a string, or convert one, as z.coerce.number() does'
  assert.deepEqual(warnings, [
    'Prompt "bad" is not offered: arguments: Cannot describe the zod schema as JSON Schema: when: Date cannot be represented in JSON Schema; describe dates as text, as z.iso.datetime() does',
    'Prompt "typo": "complete" is for "moood", which is no argument of it; did you mean "mood"?',
    `Prompt "count": argument "n" ${fix}`,
    `Prompt "count": argument "on" ${fix}`,
  ])
  const { messages } = await pair.client.prompts.get('fine', { n: '1' } as never)
  assert.deepEqual(messages[0]?.content, { type: 'text', text: '2' })
})
