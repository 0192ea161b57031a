import assert from 'node:assert/strict'
import { test } from 'node:test'
import { type } from 'arktype'
import * as v from 'valibot'
import { z } from 'zod'
import { everyRevision, join } from '../testing/revisions.ts'
import { text } from './content.ts'
import type { ToolHandler } from './definitions.ts'
import { server } from './server.ts'
import { reply } from './tool-reply.ts'

/** A server, and what its author was told. */
function told() {
  const errors: string[] = []
  const onError = (error: unknown, what: string) => errors.push(`${what}: ${(error as Error).message}`)
  return { errors, cafe: server({ name: 'test', version: '1.0.0', onWarning: () => {}, onError }) }
}

/** The answer of a tool that returns this, written in plain JavaScript. */
async function returned(value: unknown, definition: { output?: object } = {}) {
  const { cafe, errors } = told()
  cafe.tool('it', definition, (() => value) as ToolHandler<undefined, undefined>)
  await using pair = await join(cafe)
  const { _meta, ...result } = await pair.client.request('tools/call', { name: 'it', arguments: {} })
  return { result, errors }
}

const surplus = { n: 1, secret: 2 }
const plain = { type: 'object', properties: { n: { type: 'number' } }, additionalProperties: false } as const

for (const [library, output] of Object.entries({
  zod: z.object({ n: z.number() }),
  valibot: v.object({ n: v.number() }),
  arktype: type({ '+': 'delete', n: 'number' }),
}))
  test(`what is sent is what the output schema of ${library} makes of a value, in every revision`, async () => {
    const cafe = told().cafe.tool('it', { output }, () => surplus)
    await everyRevision(cafe, async ({ client }) => {
      const { content, structuredContent = { n: 1 } } = await client.tools.call('it', {})
      assert.deepEqual(structuredContent, { n: 1 })
      assert.deepEqual(content, [text('{"n":1}')])
    })
  })

test('defaults and transformations of an output schema are applied to what is sent', async () => {
  const output = z.object({
    unit: z.string().default('°C'),
    at: z
      .date()
      .transform((date) => date.toISOString())
      .pipe(z.string()),
  })
  const { result } = await returned({ at: new Date(0) }, { output })
  assert.deepEqual(result.structuredContent, { unit: '°C', at: '1970-01-01T00:00:00.000Z' })
})

test('plain JSON Schema only checks: a forbidden value is an error for caller and author', async () => {
  const { cafe, errors } = told()
  await using pair = await join(cafe.tool('it', { output: plain }, () => surplus))
  await assert.rejects(pair.client.tools.call('it', {}), (error: Error) => {
    assert.match(error.message, /^Tool "it" returned what its output schema does not allow: .*secret/)
    assert.deepEqual(errors, [`Tool "it": ${error.message}`])
    return true
  })
})

test('a reply is held to the output schema as a plain value is', async () => {
  const output = z.object({ n: z.number() })
  const { result } = await returned(reply('one', { structured: surplus }), { output })
  assert.deepEqual(result, { content: [text('one')], structuredContent: { n: 1 } })
  await assert.rejects(returned(reply('one'), { output }), {
    message: /^Tool "it" returned content alone, but it has an output schema: return the value, or reply\(/,
  })
  await assert.rejects(returned(undefined, { output }), { message: /returned nothing, but it has an output schema/ })
})

test('a result spelled out as other SDKs want it is understood', async () => {
  const content = [text('hi')]
  const understood = async (value: unknown, definition?: { output?: object }) => {
    return (await returned(value, definition)).result
  }
  assert.deepEqual(await understood({ content }), { content })
  assert.deepEqual(await understood({ content: [] }), { content: [] })
  assert.deepEqual(await understood({ isError: true, content }), { isError: true, content })
  assert.deepEqual(await understood({ isError: false, content }), { content })
  assert.deepEqual(await understood({ content, structuredContent: { n: 1 } }), { content, structuredContent: { n: 1 } })
  const output = z.object({ n: z.number() })
  assert.deepEqual(await understood({ isError: true, content }, { output }), { isError: true, content })
  assert.deepEqual(await understood({ content, structuredContent: surplus }, { output }), {
    content,
    structuredContent: { n: 1 },
  })
  const meta = (await returned({ content, _meta: { 'x.example/y': 1 } })).result
  assert.deepEqual(meta.content, content)
})

test('a value that looks like a result and is none is refused by name, for it would pass for a success', async () => {
  const wrong: readonly [value: unknown, message: RegExp][] = [
    [
      { isError: true, message: 'boom' },
      /^Tool "it" returned what looks like a result but is not valid: "message" is no/,
    ],
    [{ isError: true, content: 'boom' }, /"content" is not a list; write \{ content: \[text\(…\)\] \}/],
    [{ content: [{ type: 'text' }] }, /content\[0\] is not content/],
    [{ content: [text('a'), { type: 'picture' }] }, /content\[1\] is not content/],
  ]
  for (const [value, message] of wrong) {
    await assert.rejects(returned(value), { code: -32603, message })
    await assert.rejects(returned(value, { output: z.object({ n: z.number().optional() }) }), { message })
  }
})

test('an object that has content of its own is a value', async () => {
  const values = [
    { content: 'a page' },
    { title: 'a page', content: [text('hi')] },
    { type: 'doc', content: [] },
    { content: [{ type: 'paragraph' }] },
    { isError: false, code: 0 },
  ]
  for (const value of values) assert.deepEqual((await returned(value)).result.structuredContent, value)
  const value = { content: [{ type: 'text', text: 'hi' }] }
  const output = z.object({ content: z.array(z.object({ type: z.string(), text: z.string() })) })
  assert.deepEqual((await returned(value, { output })).result.structuredContent, value)
})

test('dates, bytes, maps and sets are sent as what they mean, with an output schema and without', async () => {
  const value = { at: new Date(0), raw: new Uint8Array([1, 2, 3]), by: new Map([['a', new Set([1])]]) }
  const json = { at: '1970-01-01T00:00:00.000Z', raw: 'AQID', by: { a: [1] } }
  const properties = { at: { type: 'string' }, raw: { type: 'string' }, by: { type: 'object', required: ['a'] } }
  const outputs = [
    {},
    { output: { type: 'object', properties, required: ['at', 'raw', 'by'], additionalProperties: false } },
    { output: z.object({ at: z.iso.datetime(), raw: z.base64(), by: z.record(z.string(), z.array(z.number())) }) },
    { output: z.looseObject({}) },
  ]
  for (const definition of outputs) {
    const { result } = await returned(value, definition)
    assert.deepEqual(result.structuredContent, json)
    assert.deepEqual(JSON.parse((result.content as { text: string }[])[0]?.text ?? ''), json)
  }
})

test('a Map is not let through as an empty object by a schema that has nothing against one', async () => {
  const output = { type: 'object', additionalProperties: { type: 'number' } }
  await assert.rejects(returned(new Map([['a', 'b']]), { output }), { message: /does not allow: a: must be a number/ })
})

test('a value that JSON cannot carry is refused by tool and place, to the caller and to the author', async () => {
  const circle: { self?: unknown } = {}
  circle.self = circle
  const wrong: readonly [value: unknown, message: string][] = [
    [{ n: 1n }, 'n is a BigInt; convert it to a number or a string'],
    [1n, 'it is a BigInt; convert it to a number or a string'],
    [{ list: [Number.NaN] }, 'list[0] is NaN, which JSON does not have; use null'],
    [{ later: Promise.resolve(1) }, 'later is a Promise; await it'],
    [() => 1, 'it is a function, which JSON does not have'],
    [new Error('x'), 'it is an Error; throw it, or return its message'],
    [circle, 'self leads back to itself'],
  ]
  for (const [value, problem] of wrong)
    for (const definition of [{}, { output: z.any() }]) {
      const { cafe, errors } = told()
      await using pair = await join(cafe.tool('it', definition, (() => value) as never))
      const message = `Tool "it" returned what JSON cannot carry: ${problem}`
      await assert.rejects(pair.client.tools.call('it', {}), { code: -32603, message })
      assert.deepEqual(errors, [`Tool "it": ${message}`])
    }
})

test('content is checked on the server: bytes become base64, what clients cannot read is refused', async () => {
  const image = { type: 'image', data: new Uint8Array([1, 2, 3]), mimeType: 'image/png' }
  assert.deepEqual((await returned([image])).result.content, [{ ...image, data: 'AQID' }])
  await assert.rejects(returned({ type: 'text', text: 5 }), {
    message: 'Tool "it" returned content that clients cannot read: content[0].text must be a string',
  })
  await assert.rejects(returned(reply([text('a'), { ...image, mimeType: 5 } as never])), {
    message: /content\[1\]\.mimeType must be a string/,
  })
})

test('reply() refuses what is no content', () => {
  assert.throws(() => reply({ foo: 1 } as never), { code: 'Misuse', message: /^Cannot reply: the first argument must/ })
})

test('the results of prompts are checked on the server', async () => {
  const wrong: readonly [value: unknown, message: RegExp][] = [
    [undefined, /^Prompt "it" returned undefined: return text, messages, or \{ messages \}$/],
    [{ role: 'system', content: text('x') }, /what clients cannot read: messages\[0\]\.role must be "user"/],
    [{ messages: [{ role: 'user', content: 'x' }] }, /messages\[0\]\.content must be an object/],
    [{ messages: [{ role: 'user', content: { type: 'text', text: 1n } }] }, /content\.text is a BigInt/],
  ]
  for (const [value, message] of wrong) {
    const { cafe, errors } = told()
    await using pair = await join(cafe.prompt('it', {}, (() => value) as never))
    await assert.rejects(pair.client.prompts.get('it', {}), { code: -32603, message })
    assert.equal(errors.length, 1)
  }
})

test('the results of resources are checked on the server; bytes of every kind and whole results are understood', async () => {
  const reading = async (value: unknown) => {
    const { cafe, errors } = told()
    cafe.resource('app://it', {}, (() => value) as never)
    await using pair = await join(cafe)
    try {
      return (await pair.client.resources.read('app://it')).contents
    } catch (error) {
      assert.deepEqual(errors, [`Resource "app://it": ${(error as Error).message}`])
      throw error
    }
  }
  const blob = [{ uri: 'app://it', blob: 'AQID' }]
  assert.deepEqual(await reading(new Uint8Array([1, 2, 3]).buffer), blob)
  assert.deepEqual(await reading({ contents: blob }), blob)
  assert.deepEqual(await reading({ uri: 'app://it', blob: new Uint8Array([1, 2, 3]) }), blob)
  await assert.rejects(reading(undefined), {
    message: 'Resource "app://it" returned undefined: return text, bytes, or { uri, text }',
  })
  await assert.rejects(reading({ id: 1 }), {
    message: /clients cannot read: contents\[0\]\.uri is required\. Return text/,
  })
  await assert.rejects(reading({ uri: 'app://it', text: 5 }), { message: /contents\[0\]\.text must be a string/ })
  await assert.rejects(reading(new Response('x')), { message: /contents\[0\] is a Response; read it first/ })
})

test('the results of completers are checked on the server', async () => {
  const { cafe, errors } = told()
  const complete = { id: (() => 'apple') as never }
  cafe.template('app://{id}', { complete }, () => 'x')
  await using pair = await join(cafe)
  await assert.rejects(pair.client.complete({ template: 'app://{id}', argument: 'id' }, 'a'), {
    message: 'Completer "id" returned no list of strings: return those that start with what was typed',
  })
  assert.equal(errors.length, 1)
})
