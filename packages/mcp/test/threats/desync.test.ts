/** Headers that contradict the body: a proxy that decided by the one must not see the other done. */
import assert from 'node:assert/strict'
import { isUtf8 } from 'node:buffer'
import { test } from 'node:test'
import { HeaderMismatch, server } from '@trunkline/mcp'
import { toFetch } from '@trunkline/mcp/http'
import fc from 'fast-check'
import { anyCharacter } from '../../../../tools/lib/any-character.ts'
import { encodeHeader } from '../../src/dialects/http-status.ts'
import { quiet } from '../fixtures/quiet.ts'
import { messageOf } from './faces.ts'
import { meta, standalone, stateless, toolCall } from './messages.ts'

const names = ['read', 'Read', 'write', 'søk', ' padded', '=?base64?cmVhZA==?=', '\uFEFFread', 'a, b', 'tools/call']

const zone = {
  type: 'object',
  properties: {
    region: { type: 'string', 'x-mcp-header': 'Region' },
    size: { type: 'integer', 'x-mcp-header': 'Size' },
    dry: { type: 'boolean', 'x-mcp-header': 'Dry' },
  },
} as const

interface Zone {
  readonly region?: string
  readonly size?: number
  readonly dry?: boolean
}

interface Done extends Zone {
  readonly name: string
}

/** A server that remembers what it did last. */
function remembering() {
  let last: Done | undefined
  const definition = server({ name: 'remembering', ...quiet })
  for (const name of names) {
    definition.tool(name, { input: zone }, (input) => {
      last = { name, ...(input as Zone) }
      return 'done'
    })
  }
  const handler = toFetch(definition)
  return async (headers: Record<string, string>, args: Zone, name: string) => {
    last = undefined
    const params = { name, arguments: args, _meta: meta }
    const body = JSON.stringify({ jsonrpc: '2.0', id: 1, method: 'tools/call', params })
    const own = { ...toolCall('read').headers, ...headers }
    const response = await handler(new Request('http://localhost/mcp', { method: 'POST', headers: own, body }))
    return {
      status: response.status,
      message: messageOf({ text: await response.text() }),
      last: last as Done | undefined,
    }
  }
}

/** A proxy's reading of a header, by the letter of the specification. */
function read(value: string): string | undefined {
  const wrapped = /^=\?base64\?(.*)\?=$/.exec(value)
  if (!wrapped) return value
  const [, base64 = ''] = wrapped
  if (!/^(?:[A-Za-z0-9+/]{4})*(?:[A-Za-z0-9+/]{2}==|[A-Za-z0-9+/]{3}=)?$/.test(base64)) return undefined
  const bytes = Buffer.from(base64, 'base64')
  return isUtf8(bytes) ? bytes.toString() : undefined
}

const text = fc.oneof(
  fc.constantFrom(
    'eu',
    'EU',
    '',
    ' eu',
    'eu\t',
    '=?base64?ZXU=?=',
    '=?base64??=',
    '\uFEFFeu',
    'e\nu',
    'e\0u',
    '\u00a0eu',
  ),
  fc.string({ unit: anyCharacter, maxLength: 8 }),
)
const args = fc.record(
  { region: text, size: fc.maxSafeInteger(), dry: fc.boolean() },
  { requiredKeys: [] },
) as fc.Arbitrary<Zone>

test('checkHeaders: headers that mirror the body by the rules are always taken, whatever they contain', async () => {
  const call = remembering()
  await fc.assert(
    fc.asyncProperty(fc.constantFrom(...names), args, async (name, given) => {
      const mirrored = Object.entries(given).map(([key, value]) => [`mcp-param-${key}`, encodeHeader(String(value))])
      const headers = { 'mcp-name': encodeHeader(name), ...Object.fromEntries(mirrored) }
      const { status, last } = await call(headers, given, name)
      assert.deepEqual([status, last], [200, { name, ...given }])
    }),
    { numRuns: 500 },
  )
})

/** Values near a good one: as it is, wrapped, wrapped wrongly, or another. */
function near(value: string): fc.Arbitrary<string> {
  const base64 = Buffer.from(value).toString('base64')
  const forms = [
    ...[
      encodeHeader(value),
      `=?base64?${base64}?=`,
      `=?BASE64?${base64}?=`,
      `=?base64?${base64.replaceAll('=', '')}?=`,
    ],
    ...[`=?base64?${base64}=?=`, `=?base64? ${base64}?=`, `=?base64?${base64.slice(1)}?=`, `=?base64?${base64}?=x`],
    ...[`=?base64?77u/${base64}?=`, `=?base64?${base64}`, `=?base64?`, `=?base64?=`, '', 'read', 'eu'],
    ...[value, value.toUpperCase(), `${value} `, `${value}\u00a0`, `${value},${value}`, `${value}, ${value}`],
  ]
  const printable = forms.filter((form) => /^[\x20-\x7e\x80-\xff]*$/.test(form))
  return fc.oneof(
    { weight: 2, arbitrary: fc.constantFrom(...forms.slice(0, 2)) },
    { weight: 2, arbitrary: fc.constantFrom(...printable) },
    { weight: 1, arbitrary: fc.string({ maxLength: 6 }) },
  )
}

const desynced = fc
  .tuple(fc.constantFrom(...names), text)
  .chain(([name, region]) =>
    fc.record({ name: fc.constant(name), region: fc.constant(region), mcpName: near(name), mcpRegion: near(region) }),
  )

test('checkHeaders: a request is done as the headers say, or not at all', async () => {
  const call = remembering()
  const seen = { done: 0, refused: 0 }
  await fc.assert(
    fc.asyncProperty(desynced, async ({ name, region, mcpName, mcpRegion }) => {
      const { status, message, last } = await call(
        { 'mcp-name': mcpName, 'mcp-param-region': mcpRegion },
        { region },
        name,
      )
      // the ends of a header are not part of it
      const [decided, where] = [mcpName, mcpRegion].map((value) => read(value.replace(/^[ \t]+|[ \t]+$/g, '')))
      if (decided === name && where === region) {
        seen.done += 1
        assert.deepEqual(last, { name: decided, region: where })
      } else {
        seen.refused += 1
        assert.deepEqual([last, status, message.error?.code], [undefined, 400, HeaderMismatch])
      }
    }),
    { numRuns: 2_000 },
  )
  assert.ok(seen.done > 50 && seen.refused > 50, JSON.stringify(seen))
})

test('checkHeaders: a number may be written in more than one way, another number may not', async () => {
  const call = remembering()
  for (const size of ['42', '42.0', ' 42 ', '=?base64?NDI=?=']) {
    assert.equal((await call({ 'mcp-param-size': size }, { size: 42 }, 'read')).status, 200, size)
  }
  for (const size of ['43', '42,43', '', ' ', 'x', '4 2', '0x2a', '0b101010', '4.2e1', '+42', '42n', 'Infinity']) {
    assert.equal((await call({ 'mcp-param-size': size }, { size: 42 }, 'read')).status, 400, size)
  }
  assert.equal((await call({ 'mcp-param-dry': 'True' }, { dry: true }, 'read')).status, 400)
})

test('checkHeaders: an argument that also travels as a header is refused without that header', async () => {
  const call = remembering()
  for (const args of [{ size: 42 }, { dry: true }]) {
    const { status, message, last } = await call({}, args, 'read')
    assert.deepEqual([status, message.error?.code, last], [400, HeaderMismatch, undefined], JSON.stringify(args))
  }
})

test('checkHeaders: a header that must be there is there', async () => {
  const handler = toFetch(server({ name: 'plain', ...quiet }).tool('read', {}, () => 'done'))
  const { headers, body } = toolCall('read')
  for (const missing of ['mcp-protocol-version', 'mcp-method', 'mcp-name']) {
    const rest = Object.fromEntries(Object.entries(headers).filter(([name]) => name !== missing))
    const response = await handler(new Request('http://localhost/mcp', { method: 'POST', headers: rest, body }))
    assert.deepEqual([response.status, (await response.json()).error.code], [400, HeaderMismatch], missing)
  }
})

test('checkHeaders: a method is served under its own name only, in every revision that mirrors it', async () => {
  const handler = toFetch(server({ name: 'plain', ...quiet }).tool('read', {}, () => 'done'))
  const methods = ['tools/call', 'tools/list', 'server/discover', 'subscriptions/listen', 'TOOLS/LIST', 'ping', '']
  for (const method of methods.filter((one) => one !== 'tools/list')) {
    const { headers, body } = standalone('tools/list')
    const own = { ...headers, 'mcp-method': method, 'mcp-protocol-version': stateless }
    const response = await handler(new Request('http://localhost/mcp', { method: 'POST', headers: own, body }))
    assert.deepEqual([response.status, (await response.json()).error.code], [400, HeaderMismatch], method)
  }
})
