import assert from 'node:assert/strict'
import { once } from 'node:events'
import { createServer, type RequestListener } from 'node:http'
import type { AddressInfo } from 'node:net'
import { test } from 'node:test'
import { postOf } from '../wire/http.ts'
import { echoCall } from '../wire/messages.ts'
import { stateless } from '../wire/shapes.ts'
import { loadHttp } from './http.ts'
import { type LoadOutcome, WrongAnswer } from './load.ts'

async function loadOn(listener: RequestListener, durationMs = 1000): Promise<LoadOutcome> {
  const server = createServer(listener).listen(0, '127.0.0.1')
  try {
    await once(server, 'listening')
    const { port } = server.address() as AddressInfo
    const requests = [postOf({ port, shape: stateless }, echoCall(stateless, 1, 'hello'))]
    return await loadHttp({ port, requests, expected: ['hello'], connections: 4, durationMs })
  } finally {
    server.close()
  }
}

test('loadHttp: counts every answer it got', async () => {
  let answered = 0
  const { calls, seconds, p50Ms } = await loadOn((_, outgoing) => {
    answered += 1
    outgoing.end('hello')
  })
  assert.equal(calls, answered)
  assert.ok(calls > 0 && seconds >= 1 && p50Ms > 0)
})

test('loadHttp: sends whole requests', async () => {
  const bodies = new Set<string>()
  await loadOn((incoming, outgoing) => {
    let body = ''
    incoming.on('data', (chunk) => {
      body += chunk
    })
    incoming.on('end', () => {
      bodies.add(body)
      outgoing.end('hello')
    })
  })
  assert.deepEqual([...bodies], [JSON.stringify(echoCall(stateless, 1, 'hello'))])
})

test('loadHttp: one wrong answer is an error', async () => {
  let answered = 0
  // it ends with the tenth answer, however long the others take
  const load = loadOn((_, outgoing) => {
    answered += 1
    outgoing.end(answered === 10 ? 'goodbye' : 'hello')
  }, 60_000)
  await assert.rejects(load, WrongAnswer)
})

test('loadHttp: a connection that breaks is an error', async () => {
  await assert.rejects(
    loadOn((incoming) => incoming.socket.destroy()),
    /closed a connection/,
  )
})
