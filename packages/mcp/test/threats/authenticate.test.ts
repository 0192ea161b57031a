/** Errors on the way in that nobody foresaw: told to whoever runs the server, not to whoever calls it. */
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
}

for (const [what, broken] of Object.entries(gates)) {
  const auth = { ...openAuthenticator(), ...broken }

  for (const [name, open] of Object.entries(faces)) {
    test(`${name} face: a gate that ${what} lets nobody in, which is reported and not told`, async () => {
      const { definition, reported } = reporting()
      await using face = await open(definition, { auth })
      const answer = await face.send(toolCall('count'))
      assert.deepEqual([answer.status, answer.headers.get('retry-after')], [503, '5'])
      assert.ok(!answer.text.includes(secret))
      assert.equal(reported.length, 1)
      assert.match(reported[0] ?? '', /^Authorization: TypeError/)
    })
  }

  test(`acceptWebSockets: a gate that ${what} lets nobody in, which is reported and not told`, async () => {
    const { definition, reported } = reporting()
    await using listening = await serveHttp(definition, { auth, websocket: true })
    const upgrade = ['GET /mcp HTTP/1.1', 'Host: localhost', 'Connection: Upgrade', 'Upgrade: websocket', '', '']
    const answer = await sendRaw(Number(new URL(listening.url).port), upgrade.join('\r\n'))
    assert.equal(answer?.status, 503)
    assert.equal(reported.length, 1)
  })
}

for (const [name, open] of Object.entries(faces)) {
  test(`${name} face: what fails behind a gate is an internal error, which is reported and not told`, async () => {
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
