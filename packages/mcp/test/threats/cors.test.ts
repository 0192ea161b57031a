/** Web pages of other origins: nothing without being asked for, and then all that a client needs. */
import assert from 'node:assert/strict'
import { test } from 'node:test'
import { server } from '@trunkline/mcp'
import { quiet } from '../fixtures/quiet.ts'
import { counting } from './counting.ts'
import { type Answer, faces, openSession } from './faces.ts'
import { opening, sessionCall, toolCall } from './messages.ts'

const page = { origin: 'https://app.example' }
const allowing = { origins: [page.origin], cors: {} }
/** Every header that a client of any revision sends. */
const sent = [
  ...['content-type', 'accept', 'authorization', 'dpop', 'last-event-id', 'mcp-session-id'],
  ...['mcp-protocol-version', 'mcp-method', 'mcp-name', 'mcp-param-region', "Mcp-Param-It's"],
]
/** Every header that a client reads. */
const read = ['mcp-session-id', 'mcp-protocol-version', 'retry-after', 'www-authenticate', 'dpop-nonce']

const listOf = ({ headers }: Answer, name: string): string[] =>
  (headers.get(name) ?? '').split(',').map((one) => one.trim().toLowerCase())

const preflight = (headers: readonly string[], method = 'POST') => ({
  method: 'OPTIONS',
  headers: { ...page, 'access-control-request-method': method, 'access-control-request-headers': headers.join(',') },
})

for (const [name, open] of Object.entries(faces)) {
  test(`${name} face: by default no page is told anything it may do`, async () => {
    await using face = await open(counting().definition, { origins: [page.origin] })
    const { headers, body } = toolCall('count')
    for (const attempt of [preflight(sent), { headers: { ...headers, ...page }, body }]) {
      const answer = await face.send(attempt)
      assert.deepEqual(
        [...answer.headers.keys()].filter((header) => header.startsWith('access-control')),
        [],
      )
    }
  })

  test(`${name} face: an allowed page may send every header there is, and no other page any`, async () => {
    const definition = server({ name: 'regional', ...quiet })
    await using face = await open(definition, allowing)
    for (const method of ['POST', 'GET', 'DELETE']) {
      const answer = await face.send(preflight(sent, method))
      assert.equal(answer.status, 204)
      assert.equal(answer.headers.get('access-control-allow-origin'), page.origin)
      assert.ok(listOf(answer, 'access-control-allow-methods').includes(method.toLowerCase()))
      const allowed = listOf(answer, 'access-control-allow-headers')
      for (const header of sent) assert.ok(allowed.includes(header.toLowerCase()), header)
      assert.ok(listOf(answer, 'vary').includes('origin'))
    }
    const greedy = await face.send(preflight(['x-other', 'mcp-param-', 'mcp-param-a b', 'cookie']))
    const allowed = listOf(greedy, 'access-control-allow-headers')
    for (const header of ['x-other', 'mcp-param-', 'mcp-param-a b', 'cookie', '*']) assert.ok(!allowed.includes(header))
    const other = preflight(sent)
    const refused = await face.send({ ...other, headers: { ...other.headers, origin: 'https://evil.test' } })
    assert.equal(refused.status, 403)
    assert.equal(refused.headers.get('access-control-allow-origin'), null)
  })

  test(`${name} face: an allowed page can read every answer, refusals included`, async () => {
    await using face = await open(counting().definition, {
      ...allowing,
      limits: { maxRequestsInFlight: 0, maxListeners: 0 },
    })
    await using serving = await open(counting().definition, allowing)
    const { headers, body } = toolCall('count')
    const readable = async (answer: Answer, status: number): Promise<void> => {
      assert.deepEqual([answer.status, answer.headers.get('access-control-allow-origin')], [status, page.origin])
      for (const header of read) assert.ok(listOf(answer, 'access-control-expose-headers').includes(header), header)
      assert.ok(listOf(answer, 'vary').includes('origin'))
    }
    const as = (more: object = {}) => ({ headers: { ...headers, ...page, ...more }, body })
    await readable(await serving.send(as()), 200)
    await readable(await serving.send({ ...opening('2025-11-25'), headers: as().headers }), 200)
    await readable(await serving.send(as({ 'content-type': 'text/plain' })), 415)
    await readable(await serving.send(as({ accept: 'text/html' })), 406)
    await readable(await serving.send({ ...as(), body: '{' }), 400)
    await readable(await serving.send({ ...as(), body: ' '.repeat(4_194_305) }), 413)
    await readable(await serving.send({ ...as(), method: 'PUT' }), 405)
    await readable(await serving.send({ ...sessionCall({ 'mcp-session-id': 'none', ...page }, 'count') }), 404)
    await readable(await face.send(as()), 503)
    const session = await openSession(serving)
    const streaming = { method: 'GET', headers: { accept: 'text/event-stream', ...page, ...session } }
    await readable(await serving.send(streaming), 200)
  })

  test(`${name} face: an answer that depends on who asks says so, even to who is no page`, async () => {
    await using face = await open(counting().definition, allowing)
    assert.ok(listOf(await face.send(toolCall('count')), 'vary').includes('origin'))
  })
}
