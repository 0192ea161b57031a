import assert from 'node:assert/strict'
import { test } from 'node:test'
import { type } from 'arktype'
import * as v from 'valibot'
import { z } from 'zod'
import type { Caller, ServerHandler } from '../dialects/dialect.ts'
import { everyRevision, join } from '../testing/revisions.ts'
import { RpcError } from '../wire/errors.ts'
import { image, link } from './content.ts'
import { server } from './server.ts'
import type { ServerOptions } from './server-options.ts'
import { reply } from './tool-reply.ts'

const quiet = (options: Partial<ServerOptions> = {}) =>
  server({ name: 'test', version: '1.0.0', onWarning: () => {}, onError: () => {}, ...options })

const textOf = ({ content }: { content: readonly unknown[] }): string => (content[0] as { text: string }).text

const schemas = {
  zod: z.object({ city: z.string(), days: z.number().int().max(7).default(1) }),
  valibot: v.object({ city: v.string(), days: v.optional(v.pipe(v.number(), v.integer(), v.maxValue(7)), 1) }),
  arktype: type({ city: 'string', days: type('number.integer <= 7').default(1) }),
}

for (const [library, input] of Object.entries(schemas)) {
  test(`tool takes a schema of ${library}: listed, checked, defaults filled in`, async () => {
    const cafe = quiet().tool('forecast', { input }, ({ city, days }) => `${city} ${days}`)
    await using pair = await join(cafe)
    const [tool] = await pair.client.tools.list().all()
    assert.equal(tool?.inputSchema.type, 'object')
    assert.deepEqual(tool?.inputSchema.required, ['city'])
    assert.equal(textOf(await pair.client.tools.call('forecast', { city: 'Oslo' })), 'Oslo 1')
    const refused = await pair.client.tools.call('forecast', { city: 'Oslo', days: 8 })
    assert.equal(refused.isError, true)
    assert.match(textOf(refused), /^Cannot call tool "forecast": .*days/)
  })
}

test('tool takes plain JSON Schema, and none', async () => {
  const input = { type: 'object', properties: { city: { type: 'string' } }, required: ['city'] } as const
  const cafe = quiet()
    .tool('forecast', { input }, ({ city }) => city.toUpperCase())
    .tool('anything', {}, (given) => given)
  await using pair = await join(cafe)
  assert.equal(textOf(await pair.client.tools.call('forecast', { city: 'Oslo' })), 'OSLO')
  assert.match(textOf(await pair.client.tools.call('forecast', {} as never)), /city/)
  assert.deepEqual((await pair.client.tools.call('anything', { a: 1 })).structuredContent, { a: 1 })
})

test('a handler may return text, content, an object, nothing, or a reply', async () => {
  const cafe = quiet()
    .tool('text', {}, () => 'hi')
    .tool('image', {}, () => image(new Uint8Array([1, 2, 3]), 'image/png'))
    .tool('several', {}, () => [image('AQID', 'image/png'), link({ uri: 'x:y', name: 'y' })])
    .tool('object', {}, () => ({ a: 1 }))
    .tool('nothing', {}, () => {})
    .tool('reply', {}, () => reply('failed', { isError: true, structured: { why: 'because' }, meta: { 'x/y': 1 } }))
  await using pair = await join(cafe)
  const call = async (name: 'text' | 'image' | 'several' | 'object' | 'nothing' | 'reply') => {
    const { _meta, ...result } = await pair.client.tools.call(name, {})
    return result
  }
  assert.deepEqual(await call('text'), { content: [{ type: 'text', text: 'hi' }] })
  assert.deepEqual(await call('image'), { content: [{ type: 'image', data: 'AQID', mimeType: 'image/png' }] })
  assert.equal((await call('several')).content.length, 2)
  assert.deepEqual(await call('object'), { content: [{ type: 'text', text: '{"a":1}' }], structuredContent: { a: 1 } })
  assert.deepEqual(await call('nothing'), { content: [] })
  assert.deepEqual(await call('reply'), {
    content: [{ type: 'text', text: 'failed' }],
    structuredContent: { why: 'because' },
    isError: true,
  })
})

test('a value that does not fit the output schema is an error of the server, not a result', async () => {
  const cafe = quiet().tool('bad', { output: z.object({ celsius: z.number() }) }, () => ({ celsius: 'warm' }) as never)
  await everyRevision(cafe, async ({ client }) => {
    await assert.rejects(client.tools.call('bad', {}), {
      code: -32603,
      message: /Tool "bad" returned what its output schema does not allow: .*celsius/,
    })
  })
})

test('a thrown error becomes a result for the model; bugs and system errors do not tell what happened', async () => {
  const reported: unknown[] = []
  const cafe = quiet({ onError: (error) => reported.push(error) })
    .tool('sorry', {}, () => {
      throw new Error('No such city')
    })
    .tool('bug', {}, () => {
      throw new TypeError('Cannot read properties of undefined (reading secret)')
    })
    .tool('system', {}, () => {
      throw Object.assign(new Error('connect ECONNREFUSED 10.0.0.3:5432'), { syscall: 'connect' })
    })
    .tool('odd', {}, () => {
      throw 'a string'
    })
    .tool('protocol', {}, () => {
      throw new RpcError(-32602, 'Bad params', { field: 'x' })
    })
  await using pair = await join(cafe)
  assert.equal(textOf(await pair.client.tools.call('sorry', {})), 'No such city')
  assert.equal(textOf(await pair.client.tools.call('bug', {})), 'Tool "bug" failed')
  assert.equal(textOf(await pair.client.tools.call('system', {})), 'Tool "system" failed')
  assert.equal(textOf(await pair.client.tools.call('odd', {})), 'Tool "odd" failed')
  await assert.rejects(pair.client.tools.call('protocol', {}), {
    code: -32602,
    message: 'Bad params',
    data: { field: 'x' },
  })
  assert.equal(reported.length, 4)
})

test('describeError decides what callers are told', async () => {
  const cafe = quiet({ describeError: () => 'something went wrong, ask the operator' }).tool('fail', {}, () => {
    throw new Error('internal detail')
  })
  await using pair = await join(cafe)
  assert.equal(textOf(await pair.client.tools.call('fail', {})), 'something went wrong, ask the operator')
})

test('tools are added, disabled, enabled and removed while clients are connected', async () => {
  const cafe = quiet().tool('first', {}, () => 'x')
  await using pair = await join(cafe)
  const names = async () => (await pair.client.tools.list().all()).map(({ name }) => name)
  cafe.tool('second', {}, () => 'y')
  assert.deepEqual(await names(), ['first', 'second'])
  cafe.tools.disable('first')
  assert.deepEqual(await names(), ['second'])
  await assert.rejects(pair.client.tools.call('first', {}), {
    code: -32602,
    message: 'Cannot call tool "first": no such tool',
  })
  cafe.tools.enable('first')
  cafe.tools.remove('second')
  assert.deepEqual(await names(), ['first'])
})

test('adding a name twice, or switching one that is not there, says so', () => {
  const cafe = quiet().tool('first', {}, () => 'x')
  assert.throws(() => cafe.tool('first', {}, () => 'y'), {
    code: 'Misuse',
    message: 'Cannot add tool "first": it exists already',
  })
  assert.throws(() => cafe.tools.disable('second'), {
    code: 'Misuse',
    message: 'Cannot disable tool "second": there is none',
  })
})

test('a tool called constructor is a tool, and __proto__ is none unless it is one', async () => {
  const cafe = quiet().tool('constructor', {}, () => 'built')
  await using pair = await join(cafe)
  assert.equal(textOf(await pair.client.tools.call('constructor', {})), 'built')
  for (const name of ['__proto__', 'toString', 'hasOwnProperty']) {
    await assert.rejects(pair.client.request('tools/call', { name }), {
      code: -32602,
      message: `Cannot call tool "${name}": no such tool`,
    })
  }
})

test('a list keeps the order in which things were added, whatever their names', async () => {
  const cafe = quiet()
    .tool('z', {}, () => '')
    .tool('10', {}, () => '')
    .tool('2', {}, () => '')
    .tool('a', {}, () => '')
  await using pair = await join(cafe)
  assert.deepEqual(
    (await pair.client.tools.list().all()).map(({ name }) => name),
    ['z', '10', '2', 'a'],
  )
})

test('visible decides per caller what is listed and what can be used', async () => {
  const isTester = ({ info }: Caller): boolean => info?.name === 'tester'
  const cafe = quiet()
    .tool('all', {}, () => 'x')
    .tool('some', { visible: isTester }, () => 'y')
  await using stranger = await join(cafe)
  await using tester = await join(cafe, { info: { name: 'tester', version: '1' } })
  assert.deepEqual(
    (await stranger.client.tools.list().all()).map(({ name }) => name),
    ['all'],
  )
  await assert.rejects(stranger.client.tools.call('some', {}), { code: -32602 })
  assert.equal((await tester.client.tools.list().all()).length, 2)
  assert.equal(textOf(await tester.client.tools.call('some', {})), 'y')
})

test('use puts interceptors around every request, the first outermost', async () => {
  const seen: string[] = []
  const log =
    (mark: string) =>
    (next: ServerHandler): ServerHandler =>
    async (request) => {
      seen.push(`${mark} ${request.method}`)
      const result = await next(request)
      seen.push(`${mark} done`)
      return result
    }
  const cafe = quiet()
    .tool('x', {}, () => 'x')
    .use(log('outer'))
    .use(log('inner'))
  await using pair = await join(cafe)
  await pair.client.tools.call('x', {})
  assert.deepEqual(seen, ['outer tools/call', 'inner tools/call', 'inner done', 'outer done'])
})

test('mount offers another server under a prefix, with its own interceptors, as long as it does', async () => {
  const seen: string[] = []
  const kitchen = quiet({ name: 'kitchen' })
    .tool('cook', {}, () => 'cooked')
    .prompt('recipe', { arguments: z.object({ dish: z.enum(['soup', 'stew']) }) }, ({ dish }) => `Cook ${dish}`)
    .resource('kitchen://menu', { name: 'menu' }, () => 'soup')
    .use((next) => (request) => {
      seen.push(request.method)
      return next(request)
    })
  const house = quiet({ name: 'house' })
    .tool('open', {}, () => 'opened')
    .mount('kitchen', kitchen)
  await using pair = await join(house)
  assert.deepEqual(
    (await pair.client.tools.list().all()).map(({ name }) => name),
    ['open', 'kitchen_cook'],
  )
  assert.equal(textOf((await pair.client.request('tools/call', { name: 'kitchen_cook' })) as never), 'cooked')
  const prompt = await pair.client.request('prompts/get', { name: 'kitchen_recipe', arguments: { dish: 'soup' } })
  assert.deepEqual((prompt.messages as unknown[]).length, 1)
  assert.deepEqual((await pair.client.complete({ prompt: 'kitchen_recipe', argument: 'dish' }, 's')).values, [
    'soup',
    'stew',
  ])
  assert.equal((await pair.client.resources.read('kitchen://menu')).contents.length, 1)
  assert.deepEqual(seen, ['tools/call', 'prompts/get', 'completion/complete', 'resources/read'])
  kitchen.tool('clean', {}, () => 'clean')
  kitchen.tools.disable('cook')
  assert.deepEqual(
    (await pair.client.tools.list().all()).map(({ name }) => name),
    ['open', 'kitchen_clean'],
  )
})

test('a server without tools does not know their methods, until it has or declares some', async () => {
  await using bare = await join(quiet())
  await assert.rejects(bare.client.request('tools/list', {}), { code: 'Unsupported', outcome: 'NotSent' })
  await using ready = await join(quiet({ declare: ['tools'] }))
  assert.deepEqual(await ready.client.tools.list().all(), [])
})

test('keys shorter than a secret should be are refused', async () => {
  assert.throws(() => quiet({ keys: ['short'] }), { code: 'Misuse' })
})

test('an unknown revision is refused with the list of known ones', () => {
  assert.throws(() => quiet({ revisions: ['1999-01-01'] }), {
    code: 'Misuse',
    message: /"1999-01-01": known revisions are 2026-07-28, /,
  })
})

test('onWatch: told which resources are watched and when that ends, also of a mounted server', async () => {
  const seen: string[] = []
  const watched = quiet({
    onWatch: (uris) => {
      seen.push(`start ${uris}`)
      return () => void seen.push(`stop ${uris}`)
    },
  }).resource('a://b', {}, () => 'x')
  const outer = quiet()
    .mount('inner', watched)
    .resource('c://d', {}, () => 'y')
  await everyRevision(outer, async ({ client }) => {
    seen.length = 0
    const listsOnly = await client.watch({ resources: true }, () => {})
    assert.deepEqual(seen, [])
    let heard = () => {}
    const changed = new Promise<void>((resolve) => {
      heard = resolve
    })
    const watch = await client.watch({ uris: ['a://b'] }, heard)
    assert.deepEqual(seen, ['start a://b'])
    watched.resources.updated('a://b')
    await changed
    await watch.close()
    await listsOnly.close()
    // a request behind it, so that what ends the watch has arrived
    await client.resources.read('a://b')
    assert.deepEqual(seen, ['start a://b', 'stop a://b'])
  })
})
