import assert from 'node:assert/strict'
import { once } from 'node:events'
import { createServer, type RequestListener } from 'node:http'
import type { AddressInfo } from 'node:net'
import { test } from 'node:test'
import { brotliCompressSync, createGzip, deflateSync, gzipSync } from 'node:zlib'
import type { Fetch } from '../http-channel-options.ts'
import type { HttpResponse } from '../http-response.ts'
import { readText } from '../response-body.ts'
import { nodeFetch } from './node-fetch.ts'

async function serving(listener: RequestListener) {
  const http = createServer(listener)
  await once(http.listen(0, '127.0.0.1'), 'listening')
  const close = async (): Promise<void> => void http.close().closeAllConnections()
  return { url: `http://127.0.0.1:${(http.address() as AddressInfo).port}/mcp?a=b`, [Symbol.asyncDispose]: close }
}

const init = (signal = new AbortController().signal) =>
  ({ method: 'POST', headers: { 'x-own': 'mine' }, body: '{"é":1}', signal, redirect: 'manual' }) as const

/** All that the client looks at. */
async function seen(response: HttpResponse) {
  const { status, statusText, ok, type, headers } = response
  const named = ['content-type', 'Location', 'retry-after', 'www-authenticate', 'nothing'].map((name) =>
    headers.get(name),
  )
  return { status, statusText, ok, isHidden: type === 'opaqueredirect', named, text: await readText(response, 1_000) }
}

const answers: { readonly [name: string]: RequestListener } = {
  'what was sent': (request, response) => {
    const { method, url, headers } = request
    request
      .setEncoding('utf8')
      .on('data', (body) => response.end(JSON.stringify([method, url, headers['x-own'], body])))
  },
  'a refusal': (_, response) => {
    response.setHeader('www-authenticate', ['Bearer', 'DPoP']).writeHead(401, { 'retry-after': '3' }).end('{}')
  },
  'a redirect': (_, response) => response.writeHead(307, { location: '/elsewhere' }).end(),
  'nothing at all': (_, response) => response.writeHead(202).end(),
  gzip: (_, response) => response.writeHead(200, { 'content-encoding': 'gzip' }).end(gzipSync('packed')),
  deflate: (_, response) => response.writeHead(200, { 'content-encoding': 'deflate' }).end(deflateSync('packed')),
  brotli: (_, response) => response.writeHead(200, { 'content-encoding': 'br' }).end(brotliCompressSync('packed')),
  'many pieces': (_, response) => {
    for (let piece = 0; piece < 40; piece++) response.write(`${piece} `)
    response.end()
  },
}

for (const [name, answer] of Object.entries(answers)) {
  test(`nodeFetch: ${name} looks as it does through fetch`, async () => {
    await using server = await serving(answer)
    assert.deepEqual(await seen(await nodeFetch(server.url, init())), await seen(await fetch(server.url, init())))
  })
}

const carriers: readonly [string, Fetch][] = [
  ['nodeFetch', nodeFetch],
  ['fetch', (url, asked) => fetch(url, asked)],
]

for (const [name, carry] of carriers) {
  test(`${name}: the arrived part of a packed stream can be read before the rest is there`, async () => {
    await using server = await serving((_, response) => {
      const packed = createGzip()
      packed.pipe(response.writeHead(200, { 'content-encoding': 'gzip' }))
      packed.write('data: first\n\n')
      packed.flush()
    })
    const reader = (await carry(server.url, init())).body?.getReader()
    const { value } = (await reader?.read()) ?? {}
    assert.equal(new TextDecoder().decode(value), 'data: first\n\n')
    await reader?.cancel()
  })

  test(`${name}: is aborted before there is a response, and while it is read`, async () => {
    await using silent = await serving(() => {})
    const early = new AbortController()
    const reason = new Error('enough')
    const waiting = carry(silent.url, init(early.signal))
    early.abort(reason)
    await assert.rejects(waiting, reason)
    await assert.rejects(carry(silent.url, init(AbortSignal.abort(reason))), reason)
    await using endless = await serving((_, response) => void response.write('first'))
    const late = new AbortController()
    const reader = (await carry(endless.url, init(late.signal))).body?.getReader()
    await reader?.read()
    const rest = reader?.read()
    late.abort(reason)
    await assert.rejects(async () => rest, reason)
  })

  test(`${name}: a response that breaks off is an error, not an end`, async () => {
    await using server = await serving((_, response) => {
      response.writeHead(200, { 'content-length': '100' }).write('half', () => response.destroy())
    })
    const response = await carry(server.url, init())
    await assert.rejects(readText(response, 1_000))
  })

  test(`${name}: says in the error that no program listens there`, async () => {
    const gone = await serving(() => {})
    await gone[Symbol.asyncDispose]()
    const failure = await carry(gone.url, init()).catch((error: Error) => error as Error & { code?: string })
    assert.ok(failure instanceof Error)
    assert.equal(failure.code ?? (failure.cause as { code?: string }).code, 'ECONNREFUSED')
  })
}

test('nodeFetch: one connection serves one call after the other', async () => {
  const ports = new Set<number | undefined>()
  await using server = await serving(({ socket }, response) => {
    ports.add(socket.remotePort)
    response.end('{}')
  })
  for (let call = 0; call < 5; call++) await readText(await nodeFetch(server.url, init()), 100)
  assert.equal(ports.size, 1)
})

for (const [name, keepAliveTimeout] of [
  ['that says nothing of it', 0],
  ['that says 2 s', 2000],
] as const)
  test(`nodeFetch: an idle connection is ended before a server would, ${name}`, async () => {
    const http = createServer({ keepAliveTimeout }, (_, response) => response.end('here'))
    const connection = once(http, 'connection')
    await once(http.listen(0, '127.0.0.1'), 'listening')
    const address = `http://127.0.0.1:${(http.address() as AddressInfo).port}/`
    assert.equal(await readText(await nodeFetch(address, init()), 1000), 'here')
    const [socket] = await connection
    // a server that ends it hears of no end
    await once(socket, 'end')
    http.close().closeAllConnections()
  })
