import assert from 'node:assert/strict'
import { request } from 'node:http'
import { test } from 'node:test'
import '../../../test/no-leaks.ts'
import { listenForCallback as listen } from './callback.ts'

const anywhere = new URL('http://127.0.0.1/callback')
const state = 'state-1'
const patience = new AbortController().signal

/** Listens until the end of a test. */
async function listenForCallback(options: Parameters<typeof listen>[0]) {
  const listener = await listen(options)
  return { ...listener, [Symbol.asyncDispose]: listener.close }
}

/** Asks as a browser would, or as it would not. */
function ask(url: string, options: { method?: string; headers?: Record<string, string> } = {}) {
  return new Promise<{ status: number; headers: NodeJS.Dict<string | string[]>; text: string }>((resolve, reject) => {
    const outgoing = request(url, { agent: false, ...options }, async (incoming) => {
      const text = (await incoming.setEncoding('utf8').toArray()).join('')
      resolve({ status: incoming.statusCode ?? 0, headers: incoming.headers, text })
    })
    outgoing.once('error', reject).end()
  })
}

test('listenForCallback: takes what the browser brings and thanks in a friendly way', async () => {
  await using listener = await listenForCallback({ redirect: anywhere, state })
  const { hostname, port, pathname } = new URL(listener.redirectUri)
  assert.deepEqual([hostname, pathname], ['127.0.0.1', '/callback'])
  assert.ok(Number(port) > 0)
  const [parameters, page] = await Promise.all([
    listener.received(patience),
    ask(`${listener.redirectUri}?state=${state}&code=secret-code`),
  ])
  assert.equal(parameters.get('code'), 'secret-code')
  assert.equal(page.status, 200)
  assert.match(page.text, /go back to the application/)
  assert.ok(!page.text.includes('secret-code'))
  assert.match(String(page.headers['content-security-policy']), /default-src 'none'/)
  assert.equal(page.headers['referrer-policy'], 'no-referrer')
})

test('listenForCallback: two listeners get different ports', async () => {
  await using first = await listenForCallback({ redirect: anywhere, state })
  await using second = await listenForCallback({ redirect: anywhere, state })
  assert.notEqual(first.redirectUri, second.redirectUri)
})

const strangers: readonly [what: string, path: string, options?: Parameters<typeof ask>[1]][] = [
  ['another state', '/callback?state=other&code=x'],
  ['no state', '/callback?code=x'],
  ['another path', `/other?state=${state}&code=x`],
  ['a post', `/callback?state=${state}&code=x`, { method: 'POST' }],
  [
    'a host that was made to mean this machine',
    `/callback?state=${state}&code=x`,
    { headers: { host: 'evil.example' } },
  ],
]

for (const [what, path, options] of strangers) {
  test(`listenForCallback: ${what} does not count, and does not keep the right one out`, async () => {
    await using listener = await listenForCallback({ redirect: anywhere, state })
    const { origin } = new URL(listener.redirectUri)
    assert.equal((await ask(`${origin}${path}`, options)).status, 404)
    const [parameters] = await Promise.all([
      listener.received(patience),
      ask(`${origin}/callback?state=${state}&code=y`),
    ])
    assert.equal(parameters.get('code'), 'y')
  })
}

test('listenForCallback: takes one request only', async () => {
  await using listener = await listenForCallback({ redirect: anywhere, state })
  const [parameters] = await Promise.all([
    listener.received(patience),
    ask(`${listener.redirectUri}?state=${state}&code=first`),
  ])
  assert.equal((await ask(`${listener.redirectUri}?state=${state}&code=second`)).status, 404)
  assert.equal((await listener.received(patience)).get('code'), 'first')
  assert.equal(parameters.get('code'), 'first')
})

test('listenForCallback: a refusal arrives too, and the page does not repeat it', async () => {
  await using listener = await listenForCallback({ redirect: anywhere, state })
  const query = `state=${state}&error=access_denied&error_description=%3Cscript%3E`
  const [parameters, page] = await Promise.all([listener.received(patience), ask(`${listener.redirectUri}?${query}`)])
  assert.equal(parameters.get('error'), 'access_denied')
  assert.match(page.text, /Not signed in/)
  assert.ok(!page.text.includes('script'))
})

test('listenForCallback: refuses connections after it was closed', async () => {
  const listener = await listenForCallback({ redirect: anywhere, state })
  await listener.close()
  await assert.rejects(ask(listener.redirectUri), { code: 'ECONNREFUSED' })
})

test('listenForCallback: waiting ends with the signal, and with its reason', async () => {
  await using listener = await listenForCallback({ redirect: anywhere, state })
  const stop = new AbortController()
  const waiting = listener.received(stop.signal)
  stop.abort(new Error('enough'))
  await assert.rejects(waiting, /enough/)
})

for (const address of ['http://example.com/callback', 'http://10.0.0.1/', 'https://127.0.0.1/', 'http://0.0.0.0/']) {
  test(`listenForCallback: does not listen at ${address}`, async () => {
    await assert.rejects(listenForCallback({ redirect: new URL(address), state }), { problem: 'address' })
  })
}

test('listenForCallback: does not share a port that is taken', async () => {
  await using first = await listenForCallback({ redirect: anywhere, state })
  await assert.rejects(listenForCallback({ redirect: new URL(first.redirectUri), state }), { problem: 'sign-in' })
})
