import assert from 'node:assert/strict'
import { fork } from 'node:child_process'
import { once } from 'node:events'
import { Agent, request } from 'node:http'
import { it } from 'node:test'
import { fileURLToPath } from 'node:url'
import { isLong } from '../../../../tools/lib/long-form.ts'
import { temporaryFolder } from '../temporary-folder.ts'
import type { Kept } from './measured-host.ts'

const program = fileURLToPath(new URL('measured-host.ts', import.meta.url))
const atOnce = 100
const passing = isLong ? 600 : 300
/** Bytes; an entry of a map and its key take more. */
const maxLeft = 250
const common = { accept: 'application/json, text/event-stream', 'content-type': 'application/json' }

interface Place {
  readonly url: string
  readonly token: string
}

/** One connection, which is dropped with whatever is under way on it. */
class Caller {
  readonly #agent = new Agent({ keepAlive: true, maxSockets: 4 })
  readonly #place: Place
  #session: string | undefined

  constructor(place: Place) {
    this.#place = place
  }

  send(method: string, body?: object, more: object = {}): Promise<{ readonly status: number; readonly text: string }> {
    const headers = {
      ...common,
      authorization: `Bearer ${this.#place.token}`,
      ...(this.#session !== undefined && { 'mcp-session-id': this.#session }),
      ...more,
    }
    return new Promise((resolve, reject) => {
      const sent = request(this.#place.url, { method, headers, agent: this.#agent }, (answer) => {
        this.#session ??= answer.headers['mcp-session-id'] as string | undefined
        const status = answer.statusCode ?? 0
        let text = ''
        answer.setEncoding('utf8')
        answer.on('data', (piece) => (text += piece))
        answer.on('error', () => {})
        // a stream goes on until the caller leaves
        if (method === 'GET' || 'mcp-method' in more) resolve({ status, text })
        else answer.on('end', () => resolve({ status, text }))
      })
      sent.on('error', reject)
      sent.end(body && JSON.stringify({ jsonrpc: '2.0', ...body }))
    })
  }

  leave(): void {
    this.#agent.destroy()
  }
}

/** Opens a session, listens, watches and calls, and goes: one in four says so. */
async function comeAndGo(place: Place, number: number): Promise<void> {
  const caller = new Caller(place)
  const clientInfo = { name: 'passing', version: '1' }
  const params = { protocolVersion: '2025-11-25', capabilities: {}, clientInfo }
  const { status } = await caller.send('POST', { id: 0, method: 'initialize', params })
  assert.equal(status, 200)
  await caller.send('POST', { method: 'notifications/initialized' })
  if (number % 2 === 0) {
    assert.equal((await caller.send('GET')).status, 200)
    await caller.send('POST', { id: 1, method: 'resources/subscribe', params: { uri: 'book:1' } })
  }
  const { text } = await caller.send('POST', {
    id: 2,
    method: 'tools/call',
    params: { name: 'two__echo', arguments: { text: `hello ${number}` } },
  })
  assert.match(text, new RegExp(`hello ${number}`))
  if (number % 4 === 0) assert.ok((await caller.send('DELETE')).status < 300)
  caller.leave()
}

async function many(place: Place, count: number): Promise<void> {
  for (let from = 0; from < count; from += atOnce) {
    await Promise.all(Array.from({ length: atOnce }, (_, at) => comeAndGo(place, from + at)))
  }
}

it(`${passing} sessions that are opened and dropped, ${atOnce} at once, leave nothing in the host`, async (t) => {
  using folder = temporaryFolder()
  const child = fork(program, [folder.path], { execArgv: ['--expose-gc'] })
  const ended = once(child, 'exit')
  const told = async () => {
    const [message] = await Promise.race([once(child, 'message'), ended.then(() => assert.fail('the host ended'))])
    return message
  }
  try {
    const place: Place = await told()
    const kept = async (): Promise<Kept> => {
      child.send('tell')
      return told()
    }
    // as many as one caller may have, so that from here on each one that comes replaces another
    await many(place, 400)
    let grown = Number.POSITIVE_INFINITY
    // one-time allocations of the engine are made in the first rounds; remains of sessions are left in every round
    for (let round = 0; round < 4 && grown >= maxLeft; round += 1) {
      const before = await kept()
      await many(place, passing)
      let after = await kept()
      while (after.sockets > before.sockets) after = await kept()
      t.diagnostic(JSON.stringify({ before, after }))
      assert.equal(after.calls, 0)
      assert.equal(after.starts, 2, 'nobody who came started a process')
      assert.ok(after.watched <= 1, 'one subscription for all')
      grown = (after.heapBytes - before.heapBytes) / passing
    }
    assert.ok(grown < maxLeft, `${Math.round(grown)} bytes are left of each session`)
  } finally {
    if (child.connected) child.disconnect()
    await ended
  }
})
