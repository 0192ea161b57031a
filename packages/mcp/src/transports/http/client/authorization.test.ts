import assert from 'node:assert/strict'
import { test } from 'node:test'
import { gate } from '../../../../test/gate.ts'
import type { Authorizer, Refusal } from '../../../rpc/authorizer.ts'
import { Authorization } from './authorization.ts'

const request = { method: 'POST', url: new URL('https://mcp.example.com/mcp'), signal: new AbortController().signal }

function authorizer(challenged: Authorizer['challenged']) {
  let asked = 0
  return new Authorization({ authorize: async () => ({ authorization: `Bearer ${asked++}` }), challenged })
}

const refusal = (status: number) => new Response('why', { status, headers: { 'www-authenticate': 'Bearer a="b"' } })

test('Authorization.send: an answer that is no refusal is handed on, however bad', async () => {
  for (const status of [200, 202, 400, 404, 500]) {
    const authorization = authorizer(() => assert.fail())
    assert.equal((await authorization.send(request, async () => new Response('', { status }))).status, status)
  }
})

test('Authorization.send: tells what was sent and what came back, and sends again with something better', async () => {
  const refusals: Refusal[] = []
  const authorization = authorizer(async (told) => refusals.push(told) > 0)
  const sent: unknown[] = []
  const statuses = [401, 403, 200]
  const response = await authorization.send(request, async (proof) => {
    sent.push(proof.authorization)
    return refusal(statuses.shift() ?? 0)
  })
  assert.equal(response.status, 200)
  assert.deepEqual(sent, ['Bearer 0', 'Bearer 1', 'Bearer 2'])
  const told = refusals.map(({ status, url, attempt, header, sent }) => [
    status,
    url,
    attempt,
    header('WWW-Authenticate'),
    sent,
  ])
  assert.deepEqual(told, [
    [401, 'https://mcp.example.com/mcp', 0, 'Bearer a="b"', { authorization: 'Bearer 0' }],
    [403, 'https://mcp.example.com/mcp', 1, 'Bearer a="b"', { authorization: 'Bearer 1' }],
  ])
})

test('Authorization.send: that a goodbye is refused is no reason to authorize', async () => {
  const authorization = authorizer(() => assert.fail())
  const response = await authorization.send({ ...request, method: 'DELETE' }, async () => refusal(401))
  assert.equal(response.status, 401)
})

test('Authorization.send: a refusal that nothing can be done about is handed on with all it says', async () => {
  const authorization = authorizer(async () => false)
  const response = await authorization.send(request, async () => refusal(403))
  assert.equal(await response.text(), 'why')
})

test('Authorization.send: an error of the authorizer fails the request', async () => {
  const authorization = authorizer(() => Promise.reject(new Error('nobody signed in')))
  await assert.rejects(
    authorization.send(request, async () => refusal(401)),
    /nobody signed in/,
  )
  assert.equal(authorization.isBusy, false)
})

test('Authorization.isBusy: true while the authorizer works, and not while the server is waited for', async () => {
  const waiting = gate<boolean>()
  const authorization = authorizer(() => waiting.promise)
  const statuses = [401, 200]
  const seen: boolean[] = []
  const sending = authorization.send(request, async () => {
    seen.push(authorization.isBusy)
    return refusal(statuses.shift() ?? 0)
  })
  assert.equal(authorization.isBusy, true)
  await new Promise(setImmediate)
  assert.equal(authorization.isBusy, true)
  waiting.open(true)
  await sending
  assert.deepEqual(seen, [false, false])
})
