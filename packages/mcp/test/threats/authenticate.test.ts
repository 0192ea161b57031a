/** Unforeseen errors on the way in: told to the operator of the server, not to its callers. */
import assert from 'node:assert/strict'
import { test } from 'node:test'
import { server } from '@trunkline/mcp'
import { type HttpOptions, MemoryEventStore } from '@trunkline/mcp/http'
import { serveHttp } from '@trunkline/mcp/node'
import { quiet } from '../fixtures/quiet.ts'
import { type Authenticator, openAuthenticator } from './authenticators.ts'
import { faces, openSession } from './faces.ts'
import { toolCall } from './messages.ts'
import { sendRaw } from './raw-socket.ts'

const secret = 'canary-77b1'
const bug = (): never => {
  throw new TypeError(secret)
}

/** A server of which it is known what it reported. */
function reporting() {
  const reported: string[] = []
  const onError = (error: unknown, what: string) => reported.push(`${what}: ${error}`)
  const definition = server({ name: 'reporting', ...quiet, onError }).tool('count', {}, () => assert.fail())
  return { definition, reported }
}

const gates: Readonly<Record<string, Partial<Authenticator>>> = {
  'rejects with a bug': { authenticate: async () => bug() },
  'throws instead of rejecting': { authenticate: bug },
  'answers nothing': { authenticate: async () => undefined as never },
  'answers nothing without a promise': { authenticate: () => undefined as never },
}

for (const [what, broken] of Object.entries(gates)) {
  const auth = { ...openAuthenticator(), ...broken }

  for (const [name, open] of Object.entries(faces)) {
    test(`${name} face: a gate that ${what} refuses the request, and its error is reported but not sent`, async () => {
      const { definition, reported } = reporting()
      await using face = await open(definition, { auth })
      const answer = await face.send(toolCall('count'))
      assert.deepEqual([answer.status, answer.headers.get('retry-after')], [503, '5'])
      assert.ok(!answer.text.includes(secret))
      assert.equal(reported.length, 1)
      assert.match(reported[0] ?? '', /^Authorization: TypeError/)
    })
  }

  test(`acceptWebSockets: a gate that ${what} refuses the request, and its error is reported but not sent`, async () => {
    const { definition, reported } = reporting()
    await using listening = await serveHttp(definition, { auth, websocket: true })
    const upgrade = ['GET /mcp HTTP/1.1', 'Host: localhost', 'Connection: Upgrade', 'Upgrade: websocket', '', '']
    const answer = await sendRaw(Number(new URL(listening.url).port), upgrade.join('\r\n'))
    assert.equal(answer?.status, 503)
    assert.equal(reported.length, 1)
  })
}

for (const [name, open] of Object.entries(faces)) {
  test(`${name} face: a gate that needs no promise lets in and refuses like any other`, async () => {
    const { definition } = reporting()
    definition.tool('principal', {}, (_, context) => String(context.caller.principal))
    const caller = await openAuthenticator().authenticate({ method: 'POST', path: '/mcp', header: () => undefined })
    const refusal = { status: 401, message: 'Who are you?', headers: { 'www-authenticate': 'Bearer' } }
    const authenticate: Authenticator['authenticate'] = (request) =>
      request.header('authorization') === 'Bearer good' ? caller : refusal
    await using face = await open(definition, { auth: { documents: new Map(), authenticate } })
    const call = toolCall('principal')
    const away = await face.send(call)
    assert.deepEqual([away.status, away.headers.get('www-authenticate')], [401, 'Bearer'])
    const headers = { ...call.headers, authorization: 'Bearer good' }
    const answer = await face.send({ ...call, headers })
    assert.equal(answer.status, 200)
    assert.ok('principal' in caller && answer.text.includes(caller.principal))
  })

  test(`${name} face: a failure behind a gate is an internal error, which is reported and not sent`, async () => {
    const { definition, reported } = reporting()
    const events = Object.assign(new MemoryEventStore(), { after: bug })
    const options: HttpOptions = { auth: openAuthenticator(), sessions: { events } }
    await using face = await open(definition, options)
    const headers = { accept: 'text/event-stream', ...(await openSession(face)) }
    definition.tool('later', {}, () => 'told to whoever listens')
    const answer = await face.send({ method: 'GET', headers })
    assert.equal(answer.status, 500)
    assert.ok(!answer.text.includes(secret))
    assert.deepEqual(reported, [`A request: TypeError: ${secret}`])
  })
}
