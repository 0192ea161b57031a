/** DNS rebinding, cross-site requests and unguarded siblings: every route, verb, revision and face. */
import assert from 'node:assert/strict'
import { METHODS } from 'node:http'
import { test } from 'node:test'
import type { HttpOptions } from '@trunkline/mcp/http'
import { type HttpServerOptions, serveHttp } from '@trunkline/mcp/node'
import { counting } from './counting.ts'
import { type Face, faces, openSession, saidIn } from './faces.ts'
import { handshakes, type Letter, opening, sessionCall, stateless, toolCall } from './messages.ts'
import { rawRequest, sendRaw } from './raw-socket.ts'

/** Every route of a server that serves all it can, and the verbs that are answered there. */
const routes: Readonly<Record<string, readonly string[]>> = {
  '/mcp': ['DELETE', 'GET', 'POST'],
  '/sse': ['GET'],
  '/messages': ['POST'],
  '/healthz': ['GET'],
  '/readyz': ['GET'],
}
const everything: HttpOptions & HttpServerOptions = { sse: true, websocket: true, cors: {} }
const verbs = METHODS.filter((verb) => verb !== 'CONNECT')

const evilHosts = [
  ...['evil.test', 'localhost.evil.test', '127.0.0.1.evil.test', '127.0.0.1@evil.test', '[::1]evil.test'],
  ...['localhost:80@evil.test', 'localhost evil.test', '127.0.0.2', '0.0.0.0', '2130706433', '[::ffff:127.0.0.1]'],
  ...['localhost.', '', ':80', 'localhost, evil.test'],
]
const evilOrigins = [
  ...['http://evil.test', 'https://evil.test', 'null', 'NULL', 'file://', 'chrome-extension://abcdef', ''],
  ...[
    'http://localhost.evil.test',
    'http://127.0.0.1.evil.test',
    'http://localhost@evil.test',
    'http://evil.test#localhost',
  ],
  ...[
    'http://localhost, http://evil.test',
    'http://[::ffff:127.0.0.1]',
    'http://0.0.0.0',
    'ws://localhost',
    'localhost',
  ],
]

/** Requests of a client of each shape that reach a tool; a handshake comes before those that need one. */
const shapes: Readonly<Record<string, (face: Face) => Promise<Letter>>> = {
  [stateless]: async () => toolCall('count'),
  ...Object.fromEntries(
    handshakes.map((revision) => [
      revision,
      async (face: Face) => sessionCall(await openSession(face, { revision }), 'count'),
    ]),
  ),
}

test('serveHttp: the paths that are answered are those that are tested here', async () => {
  await using all = await serveHttp(counting().definition, everything)
  assert.deepEqual([...all.paths].sort(), Object.keys(routes).sort())
  await using one = await serveHttp(counting().definition)
  assert.deepEqual([...one.paths].sort(), ['/healthz', '/mcp', '/readyz'])
})

test('serveHttp: a route takes the verbs it says, and no other route or verb is there', async () => {
  await using listening = await serveHttp(counting().definition, everything)
  const port = Number(new URL(listening.url).port)
  for (const path of [...listening.paths, '/', '/MCP', '/mcp/', '//mcp', '/mcp/../mcp', '/%6dcp', '/nowhere']) {
    const known = routes[path] ?? []
    for (const verb of verbs) {
      const answer = await sendRaw(port, rawRequest(verb, path, ['Host: localhost', 'Connection: close']))
      const refusal = known.length > 0 ? 405 : 404
      const isRefused = answer?.status === refusal
      assert.equal(isRefused, !known.includes(verb), `${verb} ${path} is answered by ${answer?.status}`)
      if (refusal === 405 && isRefused) assert.deepEqual(answer?.headers.get('allow')?.split(', ').sort(), known)
    }
  }
})

for (const [name, evil] of [
  ['Host', evilHosts],
  ['Origin', evilOrigins],
] as const) {
  test(`serveHttp: a bad ${name} is forbidden on every route by every verb, before anything is reached`, async () => {
    for (const options of [{}, everything]) {
      const counted = counting()
      await using listening = await serveHttp(counted.definition, options)
      const port = Number(new URL(listening.url).port)
      const { headers, body } = toolCall('count')
      const lines = Object.entries(headers).map((line) => line.join(': '))
      for (const path of [...listening.paths, '/nowhere']) {
        for (const [at, value] of evil.entries()) {
          const host = name === 'Host' ? value : '127.0.0.1'
          const guarded = [`Host: ${host}`, ...(name === 'Origin' ? [`Origin: ${value}`] : [])]
          // every verb with some value, and every value with some verb
          for (const verb of at === 0 ? verbs : ['POST', 'GET', 'OPTIONS']) {
            const sent = rawRequest(verb, path, [...guarded, 'Connection: close', ...lines], body)
            const answer = await sendRaw(port, sent)
            assert.equal(answer?.status, 403, `${verb} ${path} with ${name} ${JSON.stringify(value)}`)
            assert.equal(answer.headers.get('access-control-allow-origin'), undefined)
          }
        }
      }
      assert.equal(counted.reached, 0)
    }
  })
}

for (const [name, open] of Object.entries(faces)) {
  test(`${name} face: no client of any revision gets through under a bad name, and each does under a good one`, async () => {
    const counted = counting()
    await using face = await open(counted.definition)
    let through = 0
    for (const [revision, letter] of Object.entries(shapes)) {
      const { headers, body } = await letter(face)
      for (const bad of [{ host: 'evil.test' }, { origin: 'http://evil.test' }, { origin: 'null' }]) {
        const { status } = await face.send({ headers: { ...headers, ...bad }, body })
        assert.equal(status, 403, `${revision} with ${JSON.stringify(bad)}`)
        assert.equal((await face.send({ ...opening(revision), headers: { ...headers, ...bad } })).status, 403)
      }
      for (const good of [{}, { host: 'LocalHost:9' }, { host: '[::1]' }, { origin: 'http://localhost:3000' }]) {
        const answer = await face.send({ headers: { ...headers, ...good }, body })
        assert.equal(saidIn(answer), `${++through}`, `${revision} with ${JSON.stringify(good)}`)
      }
    }
    assert.equal(counted.reached, through)
  })

  test(`${name} face: an empty list of hosts or origins lets no request in`, async () => {
    const { headers, body } = toolCall('count')
    for (const options of [{ hosts: [] }, { origins: [] }]) {
      const counted = counting()
      await using face = await open(counted.definition, options)
      const sent = { headers: { ...headers, origin: 'http://localhost' }, body }
      assert.equal((await face.send(sent)).status, 403)
      assert.equal(counted.reached, 0)
    }
  })

  test(`${name} face: the origin "null" is never let in, whatever the list says`, async () => {
    const { headers, body } = toolCall('count')
    for (const origins of ['any', ['null', 'https://good.test']] as const) {
      await using face = await open(counting().definition, { origins })
      assert.equal((await face.send({ headers: { ...headers, origin: 'null' }, body })).status, 403)
      assert.equal((await face.send({ headers: { ...headers, origin: 'https://good.test' }, body })).status, 200)
    }
  })
}

test('serveHttp: by default only this machine can connect', async () => {
  await using listening = await serveHttp(counting().definition)
  assert.equal(new URL(listening.url).hostname, '127.0.0.1')
})

for (const host of ['0.0.0.0', '::', '192.0.2.1', 'example.com']) {
  test(`serveHttp: does not listen on ${host} unless it is told the names it is known by`, async () => {
    await assert.rejects(serveHttp(counting().definition, { host }), { code: 'Misuse', message: /"hosts"/ })
  })
}

test('serveHttp: listens on all addresses under the names it is told', async () => {
  const counted = counting()
  await using listening = await serveHttp(counted.definition, { host: '0.0.0.0', hosts: ['mcp.example'] })
  const port = Number(new URL(listening.url).port)
  const { headers, body } = toolCall('count')
  const lines = Object.entries(headers).map((line) => line.join(': '))
  const statusFor = async (host: string) =>
    (await sendRaw(port, rawRequest('POST', '/mcp', [`Host: ${host}`, ...lines], body)))?.status
  assert.equal(await statusFor('mcp.example:8080'), 200)
  assert.equal(await statusFor('localhost'), 403)
  assert.equal(counted.reached, 1)
})
