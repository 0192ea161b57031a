import assert from 'node:assert/strict'
import { test } from 'node:test'
import '../../../../test/no-leaks.ts'
import { Recorder } from '../../../../test/recorder.ts'
import { type Answering, json, plain, result, scripted } from '../../../../test/scripted-http.ts'
import { asking, shaken, status } from '../../../../test/shaken.ts'
import { httpChannel } from './http-channel.ts'
import { followRedirects } from './redirects.ts'

const request = asking('tools/list', 1)
const headers = { authorization: 'Bearer secret', 'x-own': 'secret' }

function opened(url: string): { channel: ReturnType<typeof httpChannel>; receiver: Recorder } {
  const channel = httpChannel(url, { headers })
  const receiver = new Recorder()
  channel.open(receiver)
  return { channel, receiver }
}

for (const code of [307, 308]) {
  test(`follow: ${code} within the origin is followed with method, headers and body`, async () => {
    const answer: Answering = (seen, response) =>
      seen.path === '/there'
        ? json(response, result(seen, {}))
        : void response.writeHead(code, { location: '/there' }).end()
    await using server = await scripted(answer)
    const { channel, receiver } = opened(server.url)
    channel.send(request)
    await receiver.received(1)
    const [first, second] = server.seen
    assert.deepEqual(second?.body, first?.body)
    assert.deepEqual(second?.headers, first?.headers)
    assert.equal(second?.method, 'POST')
    await channel.close()
  })
}

for (const code of [301, 302, 303, 307, 308]) {
  test(`follow: ${code} to another origin is an error, and that origin hears nothing`, async () => {
    await using canary = await scripted((seen, response) => json(response, result(seen, {})))
    await using server = await scripted(status(code, { location: canary.url }))
    const { channel, receiver } = opened(server.url)
    channel.send(request)
    await assert.rejects(receiver.unanswered(), {
      code: 'Http',
      status: code,
      outcome: code < 307 ? 'Unknown' : 'NotSent',
      message: `Cannot send "tools/list": the server redirects to another origin, ${new URL(canary.url).origin}`,
    })
    assert.deepEqual(canary.seen, [])
    await channel.close()
  })
}

test('follow: neither listening nor ending a session goes to another origin', async () => {
  await using canary = await scripted((_, response) => plain(response, 200))
  const away = status(307, { location: canary.url })
  const it = await shaken({ get: away, delete: away }, { headers })
  await it.server.request(({ method }) => method === 'GET')
  await it[Symbol.asyncDispose]()
  assert.ok(it.server.seen.some(({ method }) => method === 'DELETE'))
  assert.deepEqual(canary.seen, [])
})

test('follow: a redirect that would change the request is an error', async () => {
  await using server = await scripted(status(302, { location: '/there' }))
  const { channel, receiver } = opened(server.url)
  channel.send(request)
  await assert.rejects(receiver.unanswered(), { code: 'Http', status: 302, message: /does not keep a request/ })
  assert.equal(server.seen.length, 1)
  await channel.close()
})

test('follow: three redirects are followed and no more', async () => {
  await using server = await scripted(status(307, { location: '/mcp' }))
  const { channel, receiver } = opened(server.url)
  channel.send(request)
  await assert.rejects(receiver.unanswered(), { code: 'Http', message: /redirects more than 3 times/ })
  assert.equal(server.seen.length, 4)
  await channel.close()
})

test('follow: a runtime that hides where a redirect leads makes it an error', async () => {
  const hidden = { type: 'opaqueredirect', status: 0, headers: new Headers(), body: null } as Response
  const init = { method: 'GET', headers: {}, signal: new AbortController().signal } as const
  await assert.rejects(
    followRedirects(new URL('https://example.com'), init, { fetch: async () => hidden, action: 'listen' }),
    {
      code: 'Http',
      status: undefined,
      message: /this runtime does not say where to/,
    },
  )
})

test('follow: a redirect to no address is an error', async () => {
  await using server = await scripted(status(307, { location: 'http://[' }))
  const { channel, receiver } = opened(server.url)
  channel.send(request)
  await assert.rejects(receiver.unanswered(), { code: 'Http', status: 307, outcome: 'NotSent' })
  await channel.close()
})
