import assert from 'node:assert/strict'
import { type Client, InternalError, InvalidParams, MethodNotFound, RpcError } from '../../src/index.ts'
import type { Fields } from '../../src/wire/messages.ts'
import { icon } from '../fixtures/icon.ts'
import { said } from './harness/said.ts'
import type { Setting } from './harness/setting.ts'
import { verifies } from './verifies.ts'

verifies('tools/list: what a tool is', async ({ raw }) => {
  const end = await raw('tools')
  const result = await end.result('tools/list')
  const tools = result.tools as { name: string; inputSchema: { type: string } }[]
  assert.equal(tools[0]?.name, 'echo')
  for (const tool of tools) assert.equal(tool.inputSchema.type, 'object', tool.name)
})

verifies('tools/list: order', async ({ open }) => {
  const namesOf = async (client: Client) => (await client.tools.list().all()).map(({ name }) => name)
  const names = await namesOf(await open('tools'))
  assert.deepEqual(names.slice(0, 3), ['echo', 'sum', 'list'])
  assert.deepEqual(await namesOf(await open('tools', { fresh: true })), names)
})

verifies('tools/list: schemas are kept', async ({ open }) => {
  const client = await open('tools')
  const peculiar = (await client.tools.list().all()).find(({ name }) => name === 'peculiar')
  assert.ok(peculiar)
  const { $schema, ...schema } = peculiar.inputSchema
  assert.deepEqual(schema, {
    type: 'object',
    properties: { size: { oneOf: [{ const: 'S' }, { const: 'L' }], 'x-note': 'kept' } },
    if: { required: ['size'] },
    // biome-ignore lint/suspicious/noThenProperty: a keyword of JSON Schema
    then: { properties: { size: { not: { const: 'M' } } } },
    $defs: { unused: { type: 'string' } },
  })
})

/** The tool as it is listed over the wire. */
async function listed(raw: Setting['raw'], name: string): Promise<Fields> {
  const end = await raw('tools')
  const result = await end.result('tools/list')
  const tool = (result.tools as readonly Fields[]).find((one) => one.name === name)
  assert.ok(tool, `tool "${name}" is not listed`)
  return tool
}

verifies('tools/list: hints', async ({ raw }) => {
  assert.deepEqual((await listed(raw, 'described')).annotations, { title: 'Hint', readOnlyHint: true })
})

verifies('tools/list: no hints', async ({ raw }) => {
  assert.ok(!('annotations' in (await listed(raw, 'described'))))
})

verifies('tools/list: titles and _meta', async ({ raw }) => {
  const { title, _meta } = await listed(raw, 'described')
  assert.equal(title, 'Described')
  assert.deepEqual(_meta, { 'example.com/note': 'noted' })
})

verifies('tools/list: no titles', async ({ raw }) => {
  const tool = await listed(raw, 'described')
  assert.ok(!('title' in tool) && !('_meta' in tool))
})

verifies('tools/list: icons', async ({ raw }) => {
  assert.deepEqual((await listed(raw, 'described')).icons, [icon])
})

verifies('tools/list: no icons', async ({ raw }) => {
  assert.ok(!('icons' in (await listed(raw, 'described'))))
})

verifies('tools/list: object output schemas', async ({ raw }) => {
  assert.equal(((await listed(raw, 'sum')).outputSchema as Fields).type, 'object')
})

verifies('tools/list: no other output schemas', async ({ raw }) => {
  assert.ok(!('outputSchema' in (await listed(raw, 'list'))))
})

verifies('tools/list: any output schema', async ({ raw }) => {
  assert.equal(((await listed(raw, 'list')).outputSchema as Fields).type, 'array')
  assert.equal(((await listed(raw, 'null')).outputSchema as Fields).type, 'null')
})

verifies('tools/call: text', async ({ raw }) => {
  const end = await raw('tools')
  const result = await end.result('tools/call', { name: 'echo', arguments: { text: 'hi' } })
  assert.deepEqual(result.content, [{ type: 'text', text: 'hi' }])
})

verifies('tools/call: no arguments', async ({ raw }) => {
  const end = await raw('tools')
  const result = await end.result('tools/call', { name: 'echo' })
  assert.deepEqual(result.content, [{ type: 'text', text: 'nothing' }])
})

verifies('tools/call: text in any script', async ({ open }) => {
  const client = await open('tools')
  for (const text of ['naïve – 日本語 – 𝒳🙂', 'one\ntwo\r\nthree\u2028four', '"\\u0000"\t', '']) {
    assert.equal(said(await client.tools.call('echo', { text })), text)
  }
})

verifies('tools/call: unknown tool', async ({ open }) => {
  const client = await open('tools')
  await assert.rejects(client.tools.call('sing', {}), { name: 'RpcError', code: InvalidParams, message: /"sing"/ })
})

verifies('tools/call: bad arguments are a result', async ({ open }) => {
  const client = await open('tools')
  const result = await client.tools.call('sum', { a: 'one', b: 2 })
  assert.equal(result.isError, true)
  assert.match(said(result), /"sum".*\ba\b/)
})

verifies('tools/call: bad arguments are refused', async ({ open }) => {
  const client = await open('tools')
  await assert.rejects(client.tools.call('sum', { a: 'one', b: 2 }), { code: InvalidParams, message: /"sum".*\ba\b/ })
})

verifies('tools/call: a failing tool', async ({ raw }) => {
  const end = await raw('tools')
  const result = await end.result('tools/call', { name: 'fail' })
  assert.deepEqual(result.content, [{ type: 'text', text: 'Out of coffee' }])
  assert.equal(result.isError, true)
})

verifies('tools/call: isError is no rejection', async ({ open }) => {
  const client = await open('tools')
  assert.equal((await client.tools.call('fail', {})).isError, true)
})

verifies('tools/call: a bug', async ({ raw }) => {
  const end = await raw('tools')
  const result = await end.result('tools/call', { name: 'bug' })
  assert.equal(result.isError, true)
  assert.doesNotMatch(JSON.stringify(result), /password|TypeError|\.ts/)
})

verifies('tools/call: an error of the author', async ({ open }) => {
  const client = await open('tools')
  const refusal = { name: 'RpcError', code: 4242, message: 'Closed today', data: { opens: 'tomorrow' } }
  await assert.rejects(client.tools.call('refuse', {}), refusal)
})

verifies('tools/call: structured content', async ({ raw }) => {
  const end = await raw('tools')
  const result = await end.result('tools/call', { name: 'sum', arguments: { a: 1, b: 2 } })
  assert.deepEqual(result.structuredContent, { sum: 3 })
  assert.deepEqual(result.content, [{ type: 'text', text: '{"sum":3}' }])
})

verifies('tools/call: only text', async ({ raw }) => {
  const end = await raw('tools')
  const result = await end.result('tools/call', { name: 'sum', arguments: { a: 1, b: 2 } })
  assert.deepEqual(result, { content: [{ type: 'text', text: '{"sum":3}' }] })
})

verifies('tools/call: any structured content', async ({ raw }) => {
  const end = await raw('tools')
  const list = await end.result('tools/call', { name: 'list' })
  assert.deepEqual(list.structuredContent, [1, 2, 3])
  assert.deepEqual(list.content, [{ type: 'text', text: '[1,2,3]' }])
  const nothing = await end.result('tools/call', { name: 'null' })
  assert.equal(nothing.structuredContent, null)
})

verifies('tools/call: only structured objects', async ({ raw }) => {
  const end = await raw('tools')
  const result = await end.result('tools/call', { name: 'list' })
  assert.deepEqual(result, { content: [{ type: 'text', text: '[1,2,3]' }] })
})

verifies('tools/call: output that breaks its schema', async ({ open }) => {
  const client = await open('tools')
  await assert.rejects(client.tools.call('lie', {}), { code: InternalError, message: /"lie"/ })
})

verifies('tools/call: client checks output', async ({ play }) => {
  const outputSchema = { type: 'object', properties: { sum: { type: 'number' } } }
  const tools = [{ name: 'sum', inputSchema: { type: 'object' }, outputSchema }]
  const client = await play({
    'tools/list': [[{ result: { tools } }]],
    'tools/call': [[{ result: { content: [], structuredContent: { sum: 'many' } } }]],
  })
  await client.tools.list().all()
  await assert.rejects(client.tools.call('sum', {}), { name: 'McpError', code: 'InvalidResponse', message: /"sum"/ })
})

verifies('tools/call: no tasks', async ({ raw }) => {
  const end = await raw('tools')
  const { content } = await end.result('tools/call', { name: 'echo', arguments: { text: 'hi' }, task: { ttl: 1_000 } })
  assert.deepEqual(content, [{ type: 'text', text: 'hi' }])
  assert.equal((await end.refusal('tasks/list')).code, MethodNotFound)
})

verifies('tools/call: at most once', async ({ open, sent }) => {
  const client = await open('tools')
  await assert.rejects(client.tools.call('refuse', {}), RpcError)
  assert.equal(sent('tools/call').length, 1)
})
