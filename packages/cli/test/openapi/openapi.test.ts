import assert from 'node:assert/strict'
import { writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { after, before, describe, test } from 'node:test'
import type { Fields, Tool } from '@trunkline/mcp/client'
import { runCli } from '../run-cli.ts'
import { newFolder, openWrapped } from '../wrap/wrapped.ts'
import { petsApi, petsDescription } from './pets.ts'

async function pets(...args: readonly string[]) {
  const folder = newFolder()
  const api = await petsApi()
  const file = join(folder, 'pets.yaml')
  writeFileSync(file, petsDescription(api.url))
  const at = await openWrapped(['--openapi', file, ...args], { folder, env: { PETS_KEY: 'sesame' } })
  return {
    api,
    client: at.client,
    async [Symbol.asyncDispose]() {
      await at[Symbol.asyncDispose]()
      await api[Symbol.asyncDispose]()
    },
  }
}

function propertiesOf(tool: Tool | undefined): { readonly [name: string]: unknown } {
  return (tool?.inputSchema.properties ?? {}) as { readonly [name: string]: unknown }
}

const auth = ['--auth', 'key=env:PETS_KEY']

describe('wrap --openapi: the API of pets', () => {
  let at: Awaited<ReturnType<typeof pets>>
  before(async () => {
    at = await pets(...auth)
  })
  after(() => at[Symbol.asyncDispose]())

  test('wrap --openapi: operations are tools with input and output schemas, circles and all', async () => {
    const tools = new Map((await at.client.tools.list().all()).map((tool) => [tool.name, tool]))
    const list = tools.get('listPets')
    assert.deepEqual(propertiesOf(list).limit, { type: 'integer', exclusiveMaximum: 100 })
    assert.equal(list?.annotations?.readOnlyHint, true)
    const add = tools.get('addPet')
    assert.deepEqual(add?.inputSchema.required, ['body'])
    const definitions = (add?.inputSchema.$defs ?? {}) as { readonly NewPet?: { readonly properties: object } }
    assert.deepEqual(definitions.NewPet?.properties, { name: { type: 'string' }, owner: { type: ['string', 'null'] } })
    assert.equal(tools.get('removePet')?.annotations?.destructiveHint, true)
    const output = tools.get('getPet')?.outputSchema as { readonly properties: Fields; readonly $defs: Fields }
    assert.deepEqual(output.properties.body, { $ref: '#/$defs/Pet' })
    assert.deepEqual(Object.keys(output.$defs).sort(), ['NewPet', 'Pet'])
    assert.ok(!JSON.stringify([...tools.values()]).includes('sesame'))
    const shown = await at.client.tools.call('getPet', { 'pet-id': '../admin?x=1' })
    assert.deepEqual(shown.structuredContent, {
      status: 200,
      body: { id: '../admin?x=1', name: 'Rex', friends: [{ id: '2', name: 'Tom', friends: [] }] },
    })
    assert.equal(at.api.seen.at(-1)?.url, '/v1/pets/..%2Fadmin%3Fx%3D1')
    assert.equal(at.api.seen.at(-1)?.headers['x-api-key'], 'sesame')
    const added = await at.client.tools.call('addPet', { body: { name: 'Bello', owner: null } })
    assert.equal(added.isError ?? false, false)
    assert.equal(at.api.seen.at(-1)?.body, '{"name":"Bello","owner":null}')
    const before = at.api.seen.length
    for (const [tool, input] of [
      ['addPet', { body: {} }],
      ['addPet', {}],
      ['getPet', { 'pet-id': '..' }],
      ['listPets', { limit: 100 }],
    ] as const) {
      const { isError } = await at.client.tools.call(tool, input)
      assert.equal(isError, true, JSON.stringify(input))
    }
    assert.equal(at.api.seen.length, before)
  })

  test('wrap --openapi: parameters travel as the description says', async () => {
    await at.client.tools.call('listPets', { tag: ['a', 'b c'], ids: ['1', '2'], filter: { age: 3 }, 'X-Trace': 't1' })
    const { url, headers } = at.api.seen.at(-1) ?? { url: '', headers: {} }
    assert.deepEqual(
      [...new URL(url, at.api.url).searchParams],
      [
        ['tag', 'a'],
        ['tag', 'b c'],
        ['ids', '1,2'],
        ['filter[age]', '3'],
      ],
    )
    assert.equal((headers as { [name: string]: unknown })['x-trace'], 't1')
  })

  test('wrap --openapi: 429 and 5xx say when to try again; other refusals are failures too', async () => {
    const call = async (tool: string, input = {}) => {
      const { isError, content, structuredContent, _meta } = await at.client.tools.call(tool, input)
      assert.equal(isError, true, tool)
      return {
        text: JSON.stringify(content),
        structured: structuredContent as { status: number },
        meta: (_meta?.['dev.trunkline/contract'] as { retry?: unknown } | undefined)?.retry,
      }
    }
    const busy = await call('busy')
    assert.match(busy.text, /429 Too Many Requests: try again in 30 seconds.*slow down/)
    assert.deepEqual(busy.meta, { class: 'rateLimited', afterMs: 30_000 })
    assert.match((await call('down')).text, /503 .*try again in (?:[45]\d|60) seconds/)
    assert.match((await call('broken')).text, /500 .*does not say when/)
    const none = await call('getPet', { 'pet-id': 'none' })
    assert.deepEqual([none.structured.status, none.meta], [404, undefined])
    assert.match((await call('lies')).text, /does not allow: body.*name/)
  })

  test('wrap --openapi: what can be read with an address is a resource, with parameters in its path a template', async () => {
    const resources = await at.client.resources.list().all()
    assert.ok(resources.some(({ uri, name }) => uri === 'openapi://pets' && name === 'listPets'))
    const { contents } = await at.client.resources.read('openapi://pets/7')
    assert.ok(contents[0] && 'text' in contents[0])
    assert.equal(JSON.parse(contents[0].text).id, '7')
    await assert.rejects(at.client.resources.read('openapi://pets/none'), /404/)
  })
})

test('wrap --openapi: calls stay with their address, and what is too long or late ends', async () => {
  await using at = await pets(...auth, '--timeout', '3')
  const call = async (tool: string) => JSON.stringify(await at.client.tools.call(tool, {}))
  assert.match(await call('away'), /Cannot go on to http:\/\/evil\.example/)
  assert.match(await call('near'), /Rex/)
  assert.match(await call('hang'), /did not answer in 3 seconds/)
  const endless = await at.client.tools.call('endless', {})
  assert.equal(endless.isError, true)
  assert.match(JSON.stringify(endless.content[0]), /longer than 4194304 bytes/)
  const { content } = await at.client.tools.call('picture', {})
  assert.equal(content[0]?.type, 'image')
  assert.match(await call('secret'), /wants to know who calls; start the server with --auth other=env:NAME/)
})

test('wrap --openapi: a thousand operations are searched, found and called by name', async () => {
  await using api = await petsApi()
  const paths = Object.fromEntries(
    Array.from({ length: 1_000 }, (_, at) => [
      `/things/${at}/{id}`,
      {
        get: {
          operationId: `getThing${at}`,
          tags: [`group${at % 10}`],
          summary: at === 777 ? 'Shows the weather on Mars' : `Shows thing ${at}`,
          parameters: [{ name: 'id', in: 'path', required: true, schema: { type: 'integer' } }],
          responses: { 200: { description: 'ok' } },
        },
        delete: {
          operationId: `removeThing${at}`,
          tags: [`group${at % 10}`],
          parameters: [{ name: 'id', in: 'path', required: true, schema: { type: 'integer' } }],
          responses: { 204: { description: 'ok' } },
        },
      },
    ]),
  )
  const folder = newFolder()
  const file = join(folder, 'many.json')
  writeFileSync(
    file,
    JSON.stringify({ openapi: '3.1.0', info: { title: 'Many', version: '1' }, servers: [{ url: api.url }], paths }),
  )
  await using at = await openWrapped(['--openapi', file], { folder })
  const names = (await at.client.tools.list().all()).map(({ name }) => name)
  assert.deepEqual(names.sort(), ['change_operation', 'read_operation', 'search_operations'])
  const { structuredContent } = await at.client.tools.call('search_operations', { query: 'weather mars', limit: 3 })
  const { operations } = structuredContent as {
    operations: readonly { operation: string; input: { required: string[] } }[]
  }
  assert.equal(operations[0]?.operation, 'getThing777')
  assert.deepEqual(operations[0]?.input.required, ['id'])
  const tagged = await at.client.tools.call('search_operations', { tag: 'group3', limit: 1 })
  assert.equal((tagged.structuredContent as { found: number }).found, 200)
  const called = await at.client.tools.call('read_operation', { operation: 'getThing777', arguments: { id: 5 } })
  assert.deepEqual(called.structuredContent, { status: 200, body: { echoed: '/things/777/5' } })
  for (const [tool, input, said] of [
    ['read_operation', { operation: 'removeThing1', arguments: { id: 1 } }, /use change_operation/],
    ['read_operation', { operation: 'getThing777', arguments: { id: 'x' } }, /id/],
    ['read_operation', { operation: 'getThing77777' }, /no such operation/],
  ] as const) {
    const { isError, content } = await at.client.tools.call(tool, input)
    assert.equal(isError, true)
    assert.match(JSON.stringify(content), said)
  }
  await using some = await openWrapped(['--openapi', file, '--tag', 'group7', '--as', 'tools'])
  assert.equal((await some.client.tools.list().all()).length, 200)
})

test('wrap --openapi: a description at a URL, whose server is named from there', async () => {
  await using api = await petsApi()
  await using at = await openWrapped(['--openapi', `${api.url}/openapi.yaml`])
  assert.match(JSON.stringify(await at.client.tools.call('near', {})), /Rex/)
})

test('wrap --openapi: what is wrong is refused with what to do', async () => {
  const folder = newFolder()
  const file = join(folder, 'api.json')
  const refused = async (text: string, args: readonly string[], said: RegExp) => {
    writeFileSync(file, text)
    const { exit, stderr } = await runCli(['wrap', '--openapi', file, ...args])
    assert.equal(exit, 1)
    assert.match(stderr, said)
    assert.ok(!/at .*\.ts:/.test(stderr))
  }
  const api = (more: object) =>
    JSON.stringify({
      openapi: '3.1.0',
      info: { title: 'X', version: '1' },
      servers: [{ url: 'https://api.example' }],
      paths: { '/a': { get: { responses: {} } } },
      ...more,
    })
  await refused('{"swagger": "2.0", "paths": {}}', [], /must say openapi: 3\.0\.x or 3\.1\.x, and says swagger 2\.0/)
  await refused('{', [], /Cannot read/)
  await refused(api({ servers: [{ url: '/v1' }] }), [], /Cannot tell where the API is[\s\S]*--base/)
  await refused(api({}), ['--auth', 'key=hunter2'], /never the secret itself/)
  await refused(
    api({ components: { securitySchemes: { apiKey: { type: 'http', scheme: 'bearer' } } } }),
    ['--auth', 'apikey=env:X'],
    /did you mean "apiKey"/,
  )
  await refused(
    api({ components: { securitySchemes: { k: { type: 'http', scheme: 'bearer' } } } }),
    ['--auth', 'k=env:NOT_SET_AT_ALL'],
    /NOT_SET_AT_ALL is not set/,
  )
  await refused(api({ paths: { '/a': { $ref: 'other.yaml#/a' } } }), [], /another document; bundle/)
  await refused(api({}), ['--tag', 'x'], /the tags are none/)
  const { exit, stderr } = await runCli(['wrap', '--openapi', 'http://127.0.0.1:1/api.json'])
  assert.equal(exit, 1)
  assert.match(stderr, /Cannot read "http:\/\/127\.0\.0\.1:1\/api\.json"/)
})
