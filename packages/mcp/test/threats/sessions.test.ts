/** Sessions belong to who opened them: no hijacking, fixation or squatting, and no traces in each other. */
import assert from 'node:assert/strict'
import { test } from 'node:test'
import { randomId } from '@trunkline/base/random-id'
import { counting } from './counting.ts'
import { faces, messageOf, openSession, saidIn } from './faces.ts'
import { handshakes, jsonHeaders, opening, sessionCall, within } from './messages.ts'

const streamable = handshakes.filter((revision) => revision !== '2024-11-05')
const guesses = [
  '',
  ' ',
  '*',
  '0',
  'null',
  'undefined',
  '__proto__',
  'constructor',
  'toString',
  '../',
  'a'.repeat(5_000),
]

for (const [name, open] of Object.entries({ node: faces.node, fetch: faces.fetch })) {
  for (const revision of streamable) {
    test(`${name} face: to other callers a session of ${revision} does not exist`, async () => {
      const counted = counting()
      await using face = await open(counted.definition)
      const session = await openSession(face, { revision, principal: 'alice' })
      const call = sessionCall(session, 'count')
      for (const other of [{ principal: 'mallory' }, { principal: 'Alice' }, {}]) {
        const get = { method: 'GET', headers: { ...session, accept: 'text/event-stream' } }
        const attempts = [
          { ...call },
          within(session, { method: 'notifications/cancelled', params: { requestId: 1 } }),
          get,
          { ...get, headers: { ...get.headers, 'last-event-id': 'x.0' } },
          { method: 'DELETE', headers: session },
        ]
        for (const attempt of attempts) {
          const answer = await face.send({ ...attempt, ...other })
          const unknown = await face.send({
            ...attempt,
            ...other,
            headers: { ...attempt.headers, 'mcp-session-id': 'none' },
          })
          // no difference may tell that there is one
          assert.deepEqual([answer.status, answer.text], [404, unknown.text], JSON.stringify(attempt))
        }
      }
      assert.equal(counted.reached, 0)
      assert.equal(saidIn(await face.send({ ...call, principal: 'alice' })), '1')
    })
  }

  test(`${name} face: a session has the id that the server gave it, whatever a client would like`, async () => {
    await using face = await open(counting().definition)
    const letter = opening('2025-11-25')
    const wish = { 'mcp-session-id': 'a-session-that-the-client-made-up' }
    const { headers } = await face.send({ ...letter, headers: { ...letter.headers, ...wish } })
    const given = headers.get('mcp-session-id')
    assert.notEqual(given, wish['mcp-session-id'])
    assert.equal((await face.send(sessionCall(wish, 'count'))).status, 404)
    const mine = await openSession(face)
    const again = await face.send({ ...letter, headers: { ...letter.headers, ...mine } })
    assert.notEqual(again.headers.get('mcp-session-id'), mine['mcp-session-id'])
  })

  test(`${name} face: no guess of an id leads anywhere`, async () => {
    const counted = counting()
    await using face = await open(counted.definition)
    const session = await openSession(face)
    const { 'mcp-session-id': id } = session
    const near = [id.toLowerCase(), id.toUpperCase(), id.slice(1), id.slice(0, -1), `${id}a`, `${id}, ${id}`]
    for (const guess of [...guesses, ...near.filter((one) => one !== id)]) {
      const answer = await face.send(sessionCall({ ...session, 'mcp-session-id': guess }, 'count'))
      assert.equal(answer.status, 404, guess)
    }
    assert.equal(counted.reached, 0)
  })

  test(`${name} face: a handshake that fails leaves no session behind`, async () => {
    await using face = await open(counting().definition, { limits: { maxSessions: 1 } })
    for (const params of [undefined, {}, { protocolVersion: 1 }, { protocolVersion: '2025-11-25' }]) {
      const body = JSON.stringify({ jsonrpc: '2.0', id: 0, method: 'initialize', params })
      const answer = await face.send({ headers: jsonHeaders, body })
      assert.ok(messageOf(answer).error, body)
    }
    assert.equal((await face.send(opening('2025-11-25'))).status, 200)
  })
}

for (const [name, open] of Object.entries(faces)) {
  for (const revision of streamable) {
    test(`${name} face: in a session of ${revision} no other revision is spoken`, async () => {
      const counted = counting()
      await using face = await open(counted.definition)
      const session = await openSession(face, { revision })
      const others = [...handshakes, '2026-07-28', '1999-01-01', '', `${revision}, ${revision}`]
      for (const other of others.filter((one) => one !== revision)) {
        const headers = { ...session, 'mcp-protocol-version': other }
        const attempts = [
          sessionCall(headers, 'count'),
          within(headers, { method: 'notifications/cancelled', params: { requestId: 1 } }),
          { method: 'GET', headers: { ...headers, accept: 'text/event-stream' } },
          { method: 'DELETE', headers },
        ]
        for (const attempt of attempts) {
          const answer = await face.send(attempt)
          assert.equal(answer.status, 400, `${JSON.stringify(other)} by ${JSON.stringify(attempt)}`)
          assert.match(messageOf(answer).error.message, /mcp-protocol-version" names .*, which was not agreed on/i)
        }
      }
      assert.equal(counted.reached, 0)
      const { 'mcp-protocol-version': _, ...without } = session
      for (const own of [session, without]) assert.equal((await face.send(sessionCall(own, 'count'))).status, 200)
    })
  }
}

test('randomId: no id comes twice, and no bit after its first letter is known in advance', () => {
  const count = 50_000
  const seen = new Set<string>()
  const ones = new Array<number>(192).fill(0)
  for (let at = 0; at < count; at++) {
    const id = randomId(33)
    seen.add(id)
    const bytes = Buffer.from(id.slice(1), 'base64url')
    for (let bit = 0; bit < 192; bit++) ones[bit] = (ones[bit] ?? 0) + (((bytes[bit >> 3] ?? 0) >> (bit & 7)) & 1)
  }
  assert.equal(seen.size, count)
  // eight standard deviations, for 192 bits: one failure in 10^13 runs
  const most = 8 * Math.sqrt(count / 4)
  for (const [bit, number] of ones.entries()) assert.ok(Math.abs(number - count / 2) < most, `bit ${bit}: ${number}`)
})
