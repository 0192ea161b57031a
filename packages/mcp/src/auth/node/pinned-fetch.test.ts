import assert from 'node:assert/strict'
import { once } from 'node:events'
import { createServer, type RequestListener } from 'node:http'
import type { AddressInfo } from 'node:net'
import { test } from 'node:test'
import { gate } from '../../../test/gate.ts'
import '../../../test/no-leaks.ts'
import { type Lookup, pinnedFetch } from './pinned-fetch.ts'

async function listening(listener: RequestListener) {
  const server = createServer(listener)
  await once(server.listen(0, '127.0.0.1'), 'listening')
  return {
    port: (server.address() as AddressInfo).port,
    async [Symbol.asyncDispose]() {
      server.closeAllConnections()
      await new Promise((resolve) => server.close(resolve))
    },
  }
}

function outbound(url: string, allows: (address: string) => boolean = () => true) {
  return {
    url: new URL(url),
    method: 'GET',
    headers: {},
    body: undefined,
    signal: new AbortController().signal,
    allows,
  }
}

/** Looks names up as told, and counts how often that was asked. */
function naming(...answers: readonly string[][]) {
  let asked = 0
  const lookup: Lookup = (_hostname, _options, found) => {
    const addresses = answers[asked++] ?? []
    found(
      null,
      addresses.map((address) => ({ address, family: address.includes(':') ? 6 : 4 })),
    )
  }
  return { lookup, asked: () => asked }
}

test('carry: brings the request there and the answer back', async () => {
  await using server = await listening(async (request, response) => {
    const body = (await request.setEncoding('utf8').toArray()).join('')
    response
      .writeHead(201, { 'x-a': ['1', '2'] })
      .end(`${request.method} ${request.url} ${request.headers['x-b']} ${body}`)
  })
  const request = {
    ...outbound(`http://127.0.0.1:${server.port}/p?q`),
    method: 'POST',
    headers: { 'x-b': 'b' },
    body: 'ü',
  }
  const response = await pinnedFetch(request)
  assert.equal(response.status, 201)
  assert.equal(response.headers.get('x-a'), '1, 2')
  assert.equal(await response.text(), 'POST /p?q b ü')
})

for (const status of [204, 304]) {
  test(`carry: an answer of ${status} has no body`, async () => {
    await using server = await listening((_, response) => response.writeHead(status).end())
    assert.equal((await pinnedFetch(outbound(`http://127.0.0.1:${server.port}/`))).body, null)
  })
}

test('carry: does not follow redirects', async () => {
  await using server = await listening((_, response) => response.writeHead(302, { location: '/elsewhere' }).end())
  assert.equal((await pinnedFetch(outbound(`http://127.0.0.1:${server.port}/`))).headers.get('location'), '/elsewhere')
})

test('carry: connects to the address that was checked, although the name means another by then', async () => {
  await using server = await listening(({ headers }, response) => response.end(headers.host))
  const { lookup, asked } = naming(['127.0.0.1'], ['127.0.0.2'])
  const checked: string[] = []
  const allows = (address: string) => checked.push(address) > 0
  const response = await pinnedFetch(outbound(`http://rebound.example:${server.port}/`, allows), { lookup })
  assert.equal(await response.text(), `rebound.example:${server.port}`)
  assert.deepEqual(checked, ['127.0.0.1'])
  assert.equal(asked(), 1)
})

test('carry: a name that stands for an address that is not allowed is not connected to', async () => {
  await using server = await listening(() => assert.fail('it was asked'))
  const { lookup } = naming(['127.0.0.1'])
  const refused = pinnedFetch(
    outbound(`http://rebound.example:${server.port}/`, () => false),
    { lookup },
  )
  await assert.rejects(refused, { problem: 'address' })
})

test('carry: one address that is not allowed spoils all that a name stands for', async () => {
  await using server = await listening(() => assert.fail('it was asked'))
  const { lookup } = naming(['127.0.0.1', '169.254.169.254'])
  const allows = (address: string) => address === '127.0.0.1'
  await assert.rejects(pinnedFetch(outbound(`http://mixed.example:${server.port}/`, allows), { lookup }), {
    problem: 'address',
  })
})

for (const host of ['127.0.0.1', '[::1]', '2130706433']) {
  test(`carry: ${host} is checked although there is nothing to look up`, async () => {
    await assert.rejects(pinnedFetch(outbound(`http://${host}:1/`, () => false)), { problem: 'address' })
  })
}

test('carry: a name that stands for nothing fails', async () => {
  const lookup: Lookup = (_hostname, _options, found) => found(new Error('no such host'), [])
  await assert.rejects(pinnedFetch(outbound('http://nowhere.example/'), { lookup }), /no such host/)
})

test('carry: ends with the signal', async () => {
  const arrived = gate()
  await using server = await listening(() => arrived.open())
  const stop = new AbortController()
  const carrying = pinnedFetch({ ...outbound(`http://127.0.0.1:${server.port}/`), signal: stop.signal })
  await arrived.promise
  stop.abort()
  await assert.rejects(carrying, { name: 'AbortError' })
})
