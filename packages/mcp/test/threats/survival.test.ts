/** Handlers that misbehave and clients that leave in the middle: the server goes on, and nothing is left of them. */
import assert from 'node:assert/strict'
import { after, test } from 'node:test'
import { serveHttp } from '@trunkline/mcp/node'
import { ending, endless, watchUncaught, zoo } from '../properties/zoo.ts'
import { faceAt, openSession, saidIn } from './faces.ts'
import { sessionCall, toolCall } from './messages.ts'
import { RawConnection, rawLetter } from './raw-socket.ts'

const uncaught = watchUncaught()
process.on('warning', ({ message }) => uncaught.push(message))
// so few may be under way that one which is never over would be missed
const listening = await serveHttp(zoo(uncaught), { limits: { maxRequestsInFlight: 4 }, drainMs: 100 })
const face = faceAt(listening.url)
const port = Number(new URL(listening.url).port)
after(async () => {
  await listening.close()
  assert.deepEqual(uncaught, [])
})

async function assertHealthy(): Promise<void> {
  for (let tries = 0; ; tries++) {
    const answer = await face.send(toolCall('healthy'))
    // a client that has left may not be missed yet
    if (answer.status === 503 && tries < 1_000) continue
    return assert.equal(saidIn(answer), 'fine')
  }
}

// what is printed is no concern of a server over HTTP
const names = (handlers: object): string[] => Object.keys(handlers).filter((name) => !name.startsWith('prints'))

/** Each way to ask, and to end what was asked. */
const shapes = {
  'a request that explains itself': async () => ({
    letter: (name: string) => toolCall(name, {}, 1),
    end: async () => {},
  }),
  'a request of a session': async () => {
    const session = await openSession(face)
    return {
      letter: (name: string) => sessionCall(session, name, {}, 1),
      end: async () => void (await face.send({ method: 'DELETE', headers: session })),
    }
  },
} as const

for (const [shape, open] of Object.entries(shapes)) {
  test(`${shape}: is answered once, whatever its handler does`, async () => {
    for (const name of names(ending)) {
      const { letter, end } = await open()
      using connection = await RawConnection.to(port)
      connection.write(rawLetter(letter(name)))
      const answer = await connection.answer()
      assert.ok(answer && answer.status < 500, name)
      if (answer.headers.get('content-type') === 'text/event-stream') await connection.until(/"(?:result|error)":/)
      await end()
      await assertHealthy()
    }
  })

  for (const how of ['destroy', 'resetAndDestroy', 'end'] as const) {
    test(`${shape}: a client that leaves by ${how} does no harm`, async () => {
      for (const name of names({ ...ending, ...endless })) {
        const { letter, end } = await open()
        const bytes = rawLetter(letter(name))
        // before it is all sent, and as soon as it is
        for (const length of [bytes.length - 1, bytes.length]) {
          const connection = await RawConnection.to(port)
          connection.write(bytes.slice(0, length))
          connection.socket[how]()
          await connection.closing()
        }
        await end()
        await assertHealthy()
      }
    })
  }
}

const canary = 'canary-5e3f'

test('serveHttp: no refusal repeats what was shown to get in', async () => {
  const secrets = {
    authorization: `Bearer ${canary}`,
    cookie: `session=${canary}`,
    'mcp-session-id': canary,
    dpop: canary,
  }
  const { headers, body } = toolCall('healthy')
  const attempts = [
    { headers: { ...headers, ...secrets, host: 'evil.test' }, body },
    { headers: { ...headers, ...secrets, origin: 'http://evil.test' }, body },
    { headers: { ...headers, ...secrets, 'content-type': 'text/plain' }, body },
    { headers: { ...headers, ...secrets, accept: 'text/html' }, body },
    { headers: { ...headers, ...secrets, 'mcp-name': 'other' }, body },
    { headers: { ...headers, ...secrets }, body: '{' },
    { ...sessionCall(secrets, 'healthy') },
    { method: 'GET', headers: { ...secrets, accept: 'text/event-stream' } },
    { method: 'DELETE', headers: secrets },
    { method: 'PUT', headers: secrets },
    { method: 'GET', path: '/nowhere', headers: secrets },
  ]
  for (const attempt of attempts) {
    const answer = await face.send(attempt)
    assert.ok(answer.status >= 400)
    assert.ok(!`${answer.text}${[...answer.headers.values()]}`.includes(canary), JSON.stringify(attempt))
  }
})
