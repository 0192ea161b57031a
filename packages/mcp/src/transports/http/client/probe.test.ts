import assert from 'node:assert/strict'
import type { ServerResponse } from 'node:http'
import { test } from 'node:test'
import {
  error,
  event,
  events,
  json,
  plain,
  result,
  type Scripted,
  type Seen,
  scripted,
} from '../../../../test/scripted-http.ts'
import type { ClientOptions } from '../../../client/client-options.ts'
import { open } from '../../../client/open.ts'
import { httpChannel } from './http-channel.ts'

/** Answers to the opening question, each to a client that speaks everything. */
type Answering = (seen: Seen, response: ServerResponse) => void

const newest = '2026-07-28'
const older = '2025-11-25'
const discovered = {
  resultType: 'complete',
  supportedVersions: [newest],
  capabilities: {},
  ttlMs: 0,
  cacheScope: 'public',
}
const greeting = { protocolVersion: older, capabilities: {}, serverInfo: { name: 'old', version: '1' } }

/** A server that knows the handshake, and answers the opening question of newer clients in its own way. */
function serving(answer: Answering): Promise<Scripted> {
  return scripted((seen, response) => {
    if (seen.method !== 'POST') return plain(response, 405)
    if (seen.body.method === 'server/discover') return answer(seen, response)
    if (seen.body.method === 'initialize') return json(response, result(seen, greeting))
    return plain(response, 202)
  })
}

async function agreedWith(answer: Answering, options: ClientOptions = {}): Promise<string> {
  await using server = await serving(answer)
  await using client = await open(() => httpChannel(server.url), { onWarning: () => {}, ...options })
  return client.revision
}

const agreements: { readonly [answer: string]: readonly [revision: string, answer: Answering] } = {
  'a result': [newest, (seen, response) => json(response, result(seen, discovered))],
  'a result in a stream': [newest, (seen, response) => events(response, event(result(seen, discovered))).end()],
  'a redirect to the same origin': [
    newest,
    (seen, response) =>
      seen.path === '/mcp'
        ? response.writeHead(307, { location: '/moved' }).end()
        : json(response, result(seen, discovered)),
  ],
  '400 and -32022 with what it speaks': [
    older,
    (seen, response) => json(response, error(seen, -32022, { supported: [older], requested: newest }), 400),
  ],
  '404 and -32601': [older, (seen, response) => json(response, error(seen, -32601), 404)],
  '200 and -32601': [older, (seen, response) => json(response, error(seen, -32601))],
  '400 and -32600': [older, (seen, response) => json(response, error(seen, -32600), 400)],
  '400 and -32600 for an id of its own': [
    older,
    (_, response) =>
      json(response, { jsonrpc: '2.0', id: 'server-error', error: { code: -32600, message: 'No' } }, 400),
  ],
  '200 and -32700 without an id': [
    older,
    (_, response) => json(response, { jsonrpc: '2.0', id: null, error: { code: -32700, message: 'No' } }),
  ],
  '202 and nothing': [older, (_, response) => plain(response, 202)],
  '200 and nothing': [older, (_, response) => plain(response, 200)],
  '200 and an empty JSON body': [
    older,
    (_, response) => response.writeHead(200, { 'content-type': 'application/json' }).end(),
  ],
  '200 and a page': [older, (_, response) => plain(response, 200, '<html></html>', 'text/html')],
  '500': [older, (_, response) => plain(response, 500, 'Oops')],
  '400 and nothing': [older, (_, response) => plain(response, 400)],
  '400 and text': [older, (_, response) => plain(response, 400, 'Missing session ID')],
  '404 and nothing': [older, (_, response) => plain(response, 404)],
  '405 and nothing': [older, (_, response) => plain(response, 405)],
  'the end of the connection': [older, (_, response) => void response.socket?.destroy()],
  'a stream that ends at once': [older, (_, response) => void events(response).end()],
  'a stream that ends after a notification': [
    older,
    (_, response) => void events(response, event({ jsonrpc: '2.0', method: 'notifications/x' }, '1')).end(),
  ],
  'a result of an unknown type': [
    older,
    (seen, response) => json(response, result(seen, { ...discovered, resultType: 'maybe' })),
  ],
}

for (const [name, [revision, answer]] of Object.entries(agreements)) {
  test(`probe: ${name} leads to ${revision}`, async () => {
    assert.equal(await agreedWith(answer), revision)
  })
}

test('probe: a result that only names older revisions leads to the handshake', async () => {
  await using server = await serving((seen, response) =>
    json(response, result(seen, { ...discovered, supportedVersions: [older] })),
  )
  await using client = await open(() => httpChannel(server.url))
  assert.equal(client.revision, older)
  assert.equal(client.server?.name, 'old')
})

test('probe: silence leads to the handshake', async () => {
  assert.equal(await agreedWith(() => {}, { probeMs: 1 }), older)
})

test('probe: a slow server may still turn out to be new', async () => {
  let release = (): void => {}
  const server = await scripted((seen, response) => {
    if (seen.body.method === 'server/discover') release = () => json(response, result(seen, discovered))
    else if (seen.body.method === 'initialize') release()
    else plain(response, 202)
  })
  await using _ = server
  await using client = await open(() => httpChannel(server.url), { probeMs: 1 })
  assert.equal(client.revision, newest)
})

const refusals: { readonly [answer: string]: readonly [expected: object, answer: Answering] } = {
  '401': [{ code: 'Http', status: 401, outcome: 'NotSent' }, (_, response) => plain(response, 401)],
  '401 with a protocol error': [
    { code: 'Http', status: 401, outcome: 'NotSent' },
    (seen, response) => json(response, error(seen, -32600), 401),
  ],
  '403': [{ code: 'Http', status: 403, outcome: 'Rejected' }, (_, response) => plain(response, 403, 'No', 'text/html')],
  '403 with a protocol error': [
    { code: 'Http', status: 403 },
    (_, response) => json(response, { jsonrpc: '2.0', error: { code: -32600, message: 'Bad origin' } }, 403),
  ],
  '429': [{ code: 'Http', status: 429, outcome: 'Unknown' }, (_, response) => plain(response, 429)],
  '502 and a page': [
    {
      code: 'Http',
      status: 502,
      outcome: 'Unknown',
      message: /^Cannot send "server\/discover" to http:\S+: the server answered 502 Bad Gateway$/,
    },
    (_, response) => plain(response, 502, '<html></html>', 'text/html'),
  ],
  '503': [{ code: 'Http', status: 503, outcome: 'Unknown' }, (_, response) => plain(response, 503)],
  'a redirect to another origin': [
    { code: 'Http', status: 307, outcome: 'NotSent' },
    (_, response) => void response.writeHead(307, { location: 'http://127.0.0.2:1/' }).end(),
  ],
  '303 within the origin': [
    { code: 'Http', status: 303, outcome: 'Unknown' },
    (_, response) => void response.writeHead(303, { location: '/done' }).end(),
  ],
  '408': [{ code: 'Http', status: 408, outcome: 'Unknown' }, (_, response) => plain(response, 408)],
  '504': [{ code: 'Http', status: 504, outcome: 'Unknown' }, (_, response) => plain(response, 504)],
  '400 and -32022 with nothing in common': [
    { name: 'RpcError', code: -32022 },
    (seen, response) => json(response, error(seen, -32022, { supported: ['1999-01-01'] }), 400),
  ],
  '400 and -32020': [{ name: 'RpcError', code: -32020 }, (seen, response) => json(response, error(seen, -32020), 400)],
}

for (const [name, [expected, answer]] of Object.entries(refusals)) {
  test(`probe: ${name} is an error, and no reason to try the handshake`, async () => {
    await using server = await serving(answer)
    await assert.rejects(
      open(() => httpChannel(server.url)),
      expected,
    )
    assert.deepEqual(
      server.seen.filter(({ body }) => body.method !== 'server/discover'),
      [],
    )
  })
}

test('probe: a refused connection is an error that says so', async () => {
  const server = await serving(() => {})
  await server[Symbol.asyncDispose]()
  await assert.rejects(
    open(() => httpChannel(server.url)),
    { code: 'NotSent', outcome: 'NotSent' },
  )
})
