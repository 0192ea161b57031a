import assert from 'node:assert/strict'
import { readFileSync } from 'node:fs'
import { STATUS_CODES } from 'node:http'
import { test } from 'node:test'
import '../../../../test/no-leaks.ts'
import { Recorder } from '../../../../test/recorder.ts'
import { type Answering, json, plain, result, scripted } from '../../../../test/scripted-http.ts'
import { asking } from '../../../../test/shaken.ts'
import { nodeFetch } from './fetch/node-fetch.ts'
import { httpChannel } from './http-channel.ts'
import { sseChannel } from './sse-channel.ts'
import { statusOutcome } from './status-outcome.ts'

const guide = readFileSync(new URL('../../../../../../docs/clients.md', import.meta.url), 'utf8')

/** Every status in the table of the guide, with the outcome that it promises. */
const documented = new Map(
  Array.from(guide.matchAll(/^\| ([0-9, to]+?) +\| `(\w+)` +\|.*\|$/gm), ([, statuses = '', outcome]) =>
    statuses.split(', ').flatMap((range) => {
      const [from = 0, to = from] = range.split(' to ').map(Number)
      return Array.from({ length: to - from + 1 }, (_, at) => [from + at, outcome] as const)
    }),
  ).flat(),
)

test('statusOutcome: the table in docs/clients.md has every status that is no success, and is true', () => {
  const every = Array.from({ length: 600 }, (_, status) => status).filter((status) => status === 101 || status >= 300)
  assert.deepEqual(
    [...documented.keys()].sort((one, other) => one - other),
    every,
  )
  for (const [status, outcome] of documented) assert.equal(statusOutcome(status), outcome, `${status}`)
})

async function opened(answering: Answering) {
  const server = await scripted(answering)
  const channel = httpChannel(server.url, { fetch: nodeFetch })
  const receiver = new Recorder()
  channel.open(receiver)
  const dispose = async (): Promise<void> => {
    await channel.close()
    await server[Symbol.asyncDispose]()
  }
  return { server, channel, receiver, [Symbol.asyncDispose]: dispose }
}

const reasoned = [...documented].filter(([status]) => STATUS_CODES[status] !== undefined && status !== 101)

for (const [status, outcome] of reasoned) {
  test(`HttpChannel: status ${status} means ${outcome}`, async () => {
    await using it = await opened((_, response) => plain(response, status, '<p>{"error":1}</p>', 'text/plain'))
    it.channel.send(asking('tools/call', 1))
    const fix = status === 401 ? ': no token was sent; "auth" shows who is calling' : ''
    const message = `Cannot send "tools/call" to ${it.server.url}: the server answered ${status} ${STATUS_CODES[status]}${fix}`
    await assert.rejects(it.receiver.unanswered(), { code: 'Http', status, outcome, message })
  })
}

test('HttpChannel: a redirect that is not followed means what its status means, and never that nothing was done by 303', async () => {
  const redirects = [...documented].filter(([status]) => status >= 300 && status < 400)
  for (const [status, outcome] of redirects) {
    for (const location of ['http://127.0.0.2:1/', '/elsewhere']) {
      if ([307, 308].includes(status) && location === '/elsewhere') continue
      let done = 0
      await using it = await opened((_, response) => {
        done += 1
        response.writeHead(status, { location }).end()
      })
      it.channel.send(asking('tools/call', 1))
      await assert.rejects(it.receiver.unanswered(), { code: 'Http', status, outcome }, `${status} to ${location}`)
      assert.equal(done, 1)
    }
  }
})

test('HttpChannel: a redirect of which a runtime hides everything means Unknown', async () => {
  await using server = await scripted((_, response) => void response.writeHead(303, { location: '/x' }).end())
  const hidden = { status: 0, statusText: '', ok: false, type: 'opaqueredirect', headers: new Headers(), body: null }
  const channel = httpChannel(server.url, { fetch: async () => hidden })
  const receiver = new Recorder()
  channel.open(receiver)
  channel.send(asking('tools/call', 1))
  await assert.rejects(receiver.unanswered(), { code: 'Http', status: undefined, outcome: 'Unknown' })
  await channel.close()
})

test('HttpChannel: a request redirected by 307 and then answered by 303 means Unknown', async () => {
  await using it = await opened(({ path }, response) => {
    const [status, location] = path === '/mcp' ? [307, '/there'] : [303, '/done']
    response.writeHead(status, { location }).end()
  })
  it.channel.send(asking('tools/call', 1))
  await assert.rejects(it.receiver.unanswered(), { code: 'Http', status: 303, outcome: 'Unknown' })
})

test('SseChannel: a status means the same to what is posted beside a stream', async () => {
  let status = 0
  await using server = await scripted((seen, response) => {
    if (seen.method === 'GET') {
      response.writeHead(200, { 'content-type': 'text/event-stream' }).write('event: endpoint\ndata: /messages\n\n')
    } else if (status === 200) json(response, result(seen, {}))
    else plain(response, status)
  })
  for (const known of [303, 401, 403, 404, 408, 413, 429, 500, 502, 503, 504]) {
    status = known
    const channel = sseChannel(server.url, { fetch: nodeFetch })
    const receiver = new Recorder()
    channel.open(receiver)
    channel.send(asking('tools/call', 1))
    await assert.rejects(receiver.unanswered(), { status, outcome: documented.get(status) })
    await channel.close()
  }
})
