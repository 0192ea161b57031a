/** Limits of a body, on every face: media types, encodings, depth, width and batches. */
import assert from 'node:assert/strict'
import { test } from 'node:test'
import { gzipSync } from 'node:zlib'
import { InvalidRequest, ParseError } from '@trunkline/mcp'
import { soon } from '../soon.ts'
import { counting } from './counting.ts'
import { type Face, faces, messageOf, openSession, saidIn } from './faces.ts'
import { handshakes, meta, opening, stateless, toolCall, within } from './messages.ts'

const { headers, body } = toolCall('count')

/** Reaches a server that has taken all that came before. */
async function assertHealthy(face: Face): Promise<void> {
  assert.equal((await face.send(toolCall('echo', { still: 'here' }))).status, 200)
}

const badTypes = [
  ...['text/plain', 'application/x-www-form-urlencoded', 'multipart/form-data; boundary=x', '', 'application', '/json'],
  ...['text/plain; a=application/json', 'application/json-patch+json', 'application/jsonx', 'xapplication/json'],
  ...['application/json, text/plain', 'text/plain, application/json', 'application/json/x', 'application json'],
  ...['application/json; charset=utf-16', 'application/json; charset=iso-8859-1', 'application/json; charset='],
  ...['application/json;CHARSET="UTF-16LE"', 'application/json; charset = utf-16; x=y', 'application/json; charset'],
  'application/json; charset=utf-8; charset=utf-16',
]
const goodTypes = [
  'application/json',
  'APPLICATION/JSON',
  'application/json;charset=utf-8',
  'application/json ; x="a;b"',
  'application/json; charset="UTF-8"',
  'application/json;Charset=utf8; x=y',
]

for (const [name, open] of Object.entries(faces)) {
  test(`${name} face: a media type is read, not searched for "application/json"`, async () => {
    const counted = counting()
    await using face = await open(counted.definition)
    for (const type of badTypes) {
      const { status } = await face.send({ headers: { ...headers, 'content-type': type }, body })
      assert.equal(status, 415, JSON.stringify(type))
    }
    const { 'content-type': _, ...untyped } = headers
    assert.equal((await face.send({ headers: untyped, body: Buffer.from(body) })).status, 415)
    assert.equal(counted.reached, 0)
    for (const type of goodTypes) {
      assert.equal((await face.send({ headers: { ...headers, 'content-type': type }, body })).status, 200, type)
    }
  })

  test(`${name} face: an encoding that is not undone is refused, and nothing is inflated`, async () => {
    const counted = counting()
    await using face = await open(counted.definition)
    const bomb = gzipSync(Buffer.alloc(100_000_000, ' '), { level: 1 })
    for (const encoding of ['gzip', 'x-gzip', 'br', 'deflate', 'zstd', 'gzip, identity', 'unknown', '']) {
      const { status } = await face.send({ headers: { ...headers, 'content-encoding': encoding }, body: bomb })
      assert.equal(status, 415, JSON.stringify(encoding))
    }
    assert.equal((await face.send({ headers, body: bomb })).status, 400)
    assert.equal(counted.reached, 0)
    assert.equal((await face.send({ headers: { ...headers, 'content-encoding': 'identity' }, body })).status, 200)
  })

  test(`${name} face: a body that is too large, too deep or too wide is refused before a handler sees it`, async () => {
    const counted = counting()
    await using face = await open(counted.definition)
    const nested = (depth: number): string => '['.repeat(depth) + ']'.repeat(depth)
    const wide = `{${Array.from({ length: 200_000 }, (_, at) => `"${at}":0`).join()}}`
    const long = `[${'0,'.repeat(1_000_001)}0]`
    const hostile = [nested(65), nested(500_000), '['.repeat(500_000), '{"a":'.repeat(500_000), wide, long]
    for (const value of hostile) {
      for (const where of [`"arguments":${value}`, `"_meta":${value}`, `"arguments":{},"x":{"y":${value}}`]) {
        const text = `{"jsonrpc":"2.0","id":1,"method":"tools/call","params":{"name":"count",${where}}}`
        const answer = await face.send({ headers, body: text })
        assert.deepEqual([answer.status, messageOf(answer).error.code], [400, ParseError], text.slice(0, 120))
      }
    }
    const answer = await face.send({ headers, body: ' '.repeat(4_194_305) })
    assert.equal(answer.status, 413)
    assert.equal(counted.reached, 0)
    await assertHealthy(face)
  })

  test(`${name} face: names are taken as they are written, and none may be there twice`, async () => {
    const counted = counting()
    await using face = await open(counted.definition)
    const spoiled = [
      ['"method"', '"Method"'],
      ['"params"', '"Params"'],
      ['"params"', '"param\u017f"'],
      ['"id":1', '"ID":1'],
      ['"jsonrpc"', '"JsonRpc"'],
      ['"method":', '"method":"tools/list","method":'],
      ['"name":', '"name":"echo","name":'],
      ['"name":', '"\\u006eame":"echo","name":'],
      ['"arguments":{}', '"arguments":{"a":1,"a":2}'],
      ['"_meta":{', '"_meta":{},"_meta":{'],
      ['{"jsonrpc"', '\uFEFF{"jsonrpc"'],
      ['"id":1', '"id":NaN'],
      ['"id":1', '"id":1.5'],
      ['"id":1', '"id":9007199254740993'],
      ['"id":1', '"id":null'],
      ['"id":1', '"id":[1]'],
      ['"arguments":{}', '"arguments":{"a":01}'],
    ] as const
    for (const [from, to] of spoiled) {
      const text = body.replace(from, to)
      assert.notEqual(text, body)
      const { status } = await face.send({ headers, body: text })
      // without its id a request is a notification, which must have no effect either
      assert.ok(status === 400 || (status === 202 && to.includes('ID')), `${to} was answered by ${status}`)
    }
    assert.equal(counted.reached, 0)
    await assertHealthy(face)
  })

  test(`${name} face: bytes that are no UTF-8 are refused wherever they stand`, async () => {
    const counted = counting()
    await using face = await open(counted.definition)
    const bytes = Buffer.from(body)
    for (const bad of [[0xff], [0xc0, 0xaf], [0xed, 0xa0, 0x80], [0xf8], [0xe2, 0x82], [0xf4, 0x90, 0x80, 0x80]]) {
      for (const at of [0, bytes.indexOf('count') + 2, bytes.length]) {
        const spoiled = Buffer.concat([bytes.subarray(0, at), Buffer.from(bad), bytes.subarray(at)])
        const answer = await face.send({ headers, body: spoiled })
        assert.deepEqual([answer.status, messageOf(answer).error.code], [400, ParseError], `${bad} at ${at}`)
      }
    }
    assert.equal(counted.reached, 0)
  })

  test(`${name} face: batches are there in one revision only, and not without limit`, async () => {
    const counted = counting()
    await using face = await open(counted.definition)
    const call = (id: number) => ({
      jsonrpc: '2.0',
      id,
      method: 'tools/call',
      params: { name: 'count', arguments: {} },
    })
    const calls = (count: number) => JSON.stringify(Array.from({ length: count }, (_, id) => call(id)))
    const refused = async (session: object, text: string): Promise<void> => {
      const answer = await soon(face.send({ headers: { ...headers, ...session }, body: text }), 'a refusal')
      assert.deepEqual([answer.status, messageOf(answer).error.code], [400, InvalidRequest], text.slice(0, 80))
    }
    for (const revision of handshakes.filter((one) => one !== '2025-03-26')) {
      await refused(await openSession(face, { revision }), calls(2))
    }
    await refused({}, JSON.stringify([JSON.parse(body)]))
    const session = await openSession(face, { revision: '2025-03-26' })
    for (const text of ['[]', calls(101), calls(2_000), `[${calls(2)}]`]) await refused(session, text)
    await refused(session, JSON.stringify([{ ...call(1), params: { name: 'count', _meta: meta } }]))
    for (const { body: hello } of [opening('2025-03-26'), opening(stateless)]) await refused({}, `[${hello}]`)
    assert.equal(counted.reached, 0)
    const { text } = await face.send({ headers: { ...headers, ...session }, body: calls(100) })
    assert.equal(JSON.parse(text).length, 100)
    const ping = await face.send(within(session, { id: 'last', method: 'ping' }))
    assert.equal(messageOf(ping).id, 'last')
    assert.equal(saidIn(await face.send(toolCall('count'))), '101')
  })
}
