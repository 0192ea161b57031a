import assert from 'node:assert/strict'
import { test } from 'node:test'
import { carried } from '../../../test/auth/carried.ts'
import { guardedFetch } from './guarded-fetch.ts'
import { checkOwnUrl } from './url-policy.ts'

const to = (location: string, status = 302) => new Response(null, { status, headers: { location } })
const wanted = { url: 'https://auth.example.com/a', action: 'test' } as const

test('guardedFetch: hands the answer over whole', async () => {
  const response = await guardedFetch(
    wanted,
    carried(() => Response.json({ a: 1 }, { status: 201 })),
  )
  assert.equal(response.status, 201)
  assert.deepEqual(await response.json(), { a: 1 })
})

test('guardedFetch: asks nothing at an address that is refused', async () => {
  const silent = carried(() => assert.fail())
  await assert.rejects(guardedFetch({ ...wanted, url: 'https://169.254.169.254/' }, silent), { problem: 'address' })
  assert.equal(silent.sent.length, 0)
})

test('guardedFetch: follows redirects of questions, each one checked', async () => {
  const net = carried(({ url }) => (url.pathname === '/a' ? to('/b') : new Response('here')))
  assert.equal(await (await guardedFetch(wanted, net)).text(), 'here')
  for (const target of [
    'http://auth.example.com/',
    'https://127.0.0.1/',
    'file:///etc/passwd',
    'https://10.1/',
    'https://',
  ]) {
    const astray = carried(({ url }) => (url.pathname === '/a' ? to(target) : assert.fail(url.href)))
    await assert.rejects(guardedFetch(wanted, astray), { problem: 'address' }, target)
  }
})

test('guardedFetch: a redirect has to pass the check of the request', async () => {
  const net = carried(() => to('https://elsewhere.example.com/'))
  const own = { url: 'https://mcp.example.com/a', action: 'test', check: checkOwnUrl }
  await assert.rejects(guardedFetch(own, net), /not the origin of the server/)
})

test('guardedFetch: gives up after 3 redirects', async () => {
  const net = carried(({ url }) => to(`${url.pathname}a`))
  await assert.rejects(guardedFetch(wanted, net), { problem: 'limit' })
  assert.equal(net.sent.length, 4)
})

for (const status of [301, 302, 303, 307, 308]) {
  test(`guardedFetch: a POST follows no redirect by ${status}, not even to the same origin`, async () => {
    const net = carried(() => to('/b', status))
    await assert.rejects(guardedFetch({ ...wanted, method: 'POST', body: 'secret' }, net), { problem: 'address' })
    assert.equal(net.sent.length, 1)
  })
}

test('guardedFetch: of what a user sends along nothing gets out, only the headers that OAuth needs', async () => {
  const net = carried(() => new Response())
  const headers = { accept: 'a', 'Content-Type': 'b', authorization: 'c', dpop: 'd', cookie: 'e', 'x-api-key': 'f' }
  await guardedFetch({ ...wanted, headers }, net)
  assert.deepEqual(net.sent[0]?.headers, { accept: 'a', 'Content-Type': 'b', authorization: 'c', dpop: 'd' })
})

test('guardedFetch: an answer of as many bytes as allowed is read, one of more is not', async () => {
  const limits = { maxResponseBytes: 1_000 }
  const exact = carried(() => new Response('x'.repeat(1_000)), limits)
  assert.equal((await (await guardedFetch(wanted, exact)).text()).length, 1_000)
  await assert.rejects(
    guardedFetch(
      wanted,
      carried(() => new Response('x'.repeat(1_001)), limits),
    ),
    { problem: 'limit' },
  )
})

test('guardedFetch: an answer without end is let go at the limit', async () => {
  let isLetGo = false
  const endless = new ReadableStream<Uint8Array>({
    pull: (controller) => controller.enqueue(new Uint8Array(1_000)),
    cancel: () => {
      isLetGo = true
    },
  })
  await assert.rejects(
    guardedFetch(
      wanted,
      carried(() => new Response(endless)),
    ),
    { problem: 'limit' },
  )
  assert.ok(isLetGo)
})

test('guardedFetch: an answer that does not come in time is no answer', async () => {
  const mute = carried(
    ({ signal }) => new Promise((_, reject) => signal.addEventListener('abort', () => reject(signal.reason))),
    { maxResponseMs: 1 },
  )
  await assert.rejects(guardedFetch(wanted, mute), { problem: 'unreachable', message: /does not answer in time/ })
})

test('guardedFetch: rejects with the reason of the caller who gives up', async () => {
  const stop = new AbortController()
  const mute = carried(
    ({ signal }) => new Promise((_, reject) => signal.addEventListener('abort', () => reject(signal.reason))),
  )
  const fetching = guardedFetch({ ...wanted, signal: stop.signal }, mute)
  stop.abort(new Error('enough'))
  await assert.rejects(fetching, /enough/)
})

test('guardedFetch: lets the address be checked that a name stands for', async () => {
  const net = carried(() => new Response())
  await guardedFetch(wanted, net)
  assert.equal(net.sent[0]?.allows('8.8.8.8'), true)
  assert.equal(net.sent[0]?.allows('127.0.0.1'), false)
})
