import assert from 'node:assert/strict'
import { once } from 'node:events'
import { readFileSync } from 'node:fs'
import { Agent, request } from 'node:http'
import { connect, type Socket } from 'node:net'
import { join } from 'node:path'
import { describe, it, mock } from 'node:test'
import { soon } from '../../../mcp/test/soon.ts'
import { AcceptCodes } from '../../src/api/accept-codes.ts'
import { PageLogins } from '../../src/api/page-logins.ts'
import { openStore } from '../../src/store/store.ts'
import { principalTables } from '../../src/store/tables/principal-tables.ts'
import { person } from '../run/person.ts'
import { temporaryFolder } from '../temporary-folder.ts'

const minuteMs = 60_000
const dayMs = 24 * 60 * minuteMs

function storeOf() {
  const folder = temporaryFolder()
  const store = openStore({ path: join(folder.path, 'a.db'), rooms: [principalTables] })
  return {
    store,
    async [Symbol.asyncDispose]() {
      await store.close()
      folder[Symbol.dispose]()
    },
  }
}

/** A host, and requests to its API as any program on this machine could send them. */
async function listening() {
  const ann = person()
  const running = await ann.run()
  const { url, token } = JSON.parse(readFileSync(running.runningFile, 'utf8')) as { url: string; token: string }
  const port = Number(new URL(url).port)
  return {
    api: running.api,
    token,
    port,
    /** The status of a request; 404 for an unknown path means that it was admitted. */
    status(headers: { readonly [name: string]: string } = {}, path = '/api/nothing'): Promise<number | undefined> {
      const all = { authorization: `Bearer ${token}`, ...headers }
      return new Promise((resolve, reject) => {
        const asked = request({ port, host: '127.0.0.1', path, headers: all }, (answer) => {
          resolve(answer.statusCode)
          answer.destroy()
        })
        asked.on('error', reject).end()
      })
    },
    async [Symbol.asyncDispose]() {
      await running.close()
      ann[Symbol.dispose]()
    },
  }
}

describe('the API', () => {
  it('admits only the token of the command or of a page', async () => {
    await using at = await listening()
    assert.equal(await at.status(), 404)
    const page = (await at.api.pages.trade(at.api.pages.makeCode().code)) ?? assert.fail()
    assert.equal(await at.status({ authorization: `Bearer ${page}` }), 404)
    const { token } = at
    const wrong = [
      '',
      token,
      'Bearer ',
      `Bearer ${token.slice(0, -1)}`,
      `Bearer ${token}x`,
      `Basic ${token}`,
      `Bearer ${token} b`,
    ]
    for (const authorization of wrong) assert.equal(await at.status({ authorization }), 401, authorization)
    for (const path of ['/api/events', '/api/servers', '/api/inbox'])
      assert.equal(await at.status({ authorization: 'Bearer wrong' }, path), 401, path)
  })

  it('reads a kilobyte of a request without a token', async () => {
    await using at = await listening()
    const headers = { 'content-type': 'application/json', 'content-length': '1025' }
    const status = await new Promise((resolve, reject) => {
      const asked = request({ port: at.port, host: '127.0.0.1', path: '/api/session', method: 'POST', headers })
      asked.on('response', ({ statusCode }) => resolve(statusCode)).on('error', reject)
      asked.flushHeaders()
    })
    assert.equal(status, 413)
  })

  it('keeps 256 connections without a token, and closes none that has shown one', async () => {
    await using at = await listening()
    const agent = new Agent({ keepAlive: true, maxSockets: 1 })
    const authorized = () =>
      new Promise<Socket>((resolve, reject) => {
        const headers = { authorization: `Bearer ${at.token}` }
        const asked = request({ port: at.port, host: '127.0.0.1', path: '/api/nothing', headers, agent }, (answer) => {
          answer.resume().once('end', () => resolve(answer.socket))
        })
        asked.on('error', reject).end()
      })
    const kept = await authorized()
    const others = Array.from({ length: 300 }, () => connect(at.port, '127.0.0.1').on('error', () => {}))
    const closed = others.filter((_, index) => index < 40).map((socket) => once(socket, 'close'))
    await soon(Promise.all(closed), 'the oldest connections to be closed')
    assert.equal(await authorized(), kept)
    for (const socket of others) socket.destroy()
    agent.destroy()
  })

  it('closes a connection whose upgrade it refused, also when the client does not', async () => {
    await using at = await listening()
    const socket = connect({ port: at.port, host: '127.0.0.1', allowHalfOpen: true })
    const failed = new Promise((resolve) => socket.on('error', resolve))
    socket.write(`GET /mcp HTTP/1.1\r\nHost: 127.0.0.1:${at.port}\r\nConnection: Upgrade\r\nUpgrade: websocket\r\n\r\n`)
    const answer = (await socket.setEncoding('utf8').toArray()).join('')
    assert.match(answer, /^HTTP\/1\.1 400 /)
    // a write to a closed connection is refused; one that is half open would take it
    const writing = setInterval(() => socket.write('x'), 1)
    await soon(failed, 'the connection to be closed')
    clearInterval(writing)
    socket.destroy()
  })

  it('is reached by its own names alone, and from no page of another site, with the token or without', async () => {
    await using at = await listening()
    for (const name of ['127.0.0.1', 'localhost', '[::1]'])
      assert.equal(await at.status({ host: `${name}:${at.port}` }), 404)
    for (const host of [
      'evil.example',
      `evil.example:${at.port}`,
      'localhost',
      `127.0.0.1:${at.port + 1}`,
      `127.0.0.1.evil.example:${at.port}`,
    ])
      assert.equal(await at.status({ host }), 403, host)
    assert.equal(await at.status({ origin: `http://127.0.0.1:${at.port}` }), 404)
    const foreign = [
      'https://evil.example',
      'null',
      `https://127.0.0.1:${at.port}`,
      `http://127.0.0.1:${at.port}.evil.example`,
      'http://127.0.0.1',
    ]
    for (const origin of foreign) {
      assert.equal(await at.status({ origin }), 403, origin)
      assert.equal(await at.status({ origin }, '/api/events'), 403, origin)
    }
  })

  it('describes itself without a token, and to no page of another site', async () => {
    await using at = await listening()
    assert.equal(await at.status({ authorization: '' }, '/api/openapi.json'), 200)
    assert.equal(await at.status({ origin: 'https://evil.example' }, '/api/openapi.json'), 403)
  })
})

describe('PageLogins', () => {
  it('trade a code once, within a minute; one that an open page handed on within ten seconds', async (t) => {
    t.after(() => mock.timers.reset())
    mock.timers.enable({ apis: ['Date'], now: Date.now() })
    await using kept = storeOf()
    const pages = new PageLogins(kept.store)
    const { code } = pages.makeCode()
    const secret = (await pages.trade(code)) ?? assert.fail()
    assert.equal(await pages.trade(code), undefined)
    assert.equal(await pages.trade('never made'), undefined)
    assert.equal(pages.knows(secret), true)
    assert.equal(pages.knows(''), false)
    assert.equal(pages.knows(code), false)
    const late = pages.makeCode().code
    const handed = pages.makeHandedCode().code
    mock.timers.tick(10_001)
    assert.equal(await pages.trade(handed), undefined)
    mock.timers.tick(minuteMs)
    assert.equal(await pages.trade(late), undefined)
  })

  it('are kept as hashes, over a restart, for a week', async (t) => {
    t.after(() => mock.timers.reset())
    mock.timers.enable({ apis: ['Date'], now: Date.now() })
    await using kept = storeOf()
    const pages = new PageLogins(kept.store)
    const secret = (await pages.trade(pages.makeCode().code)) ?? assert.fail()
    assert.ok(!JSON.stringify(kept.store.database.prepare('SELECT * FROM page_secret').all()).includes(secret))
    assert.equal(new PageLogins(kept.store).knows(secret), true)
    mock.timers.tick(7 * dayMs + 1)
    assert.equal(pages.knows(secret), false)
  })

  it('a hundred are kept, the newest', async () => {
    await using kept = storeOf()
    const pages = new PageLogins(kept.store)
    const made: string[] = []
    for (let at = 0; at < 101; at += 1) made.push((await pages.trade(pages.makeCode().code)) ?? assert.fail())
    assert.deepEqual(
      [pages.knows(made[0] ?? ''), pages.knows(made[1] ?? ''), pages.knows(made[100] ?? '')],
      [false, true, true],
    )
    const codes = Array.from({ length: 101 }, () => pages.makeCode().code)
    assert.equal(await pages.trade(codes[0] ?? ''), undefined)
    assert.ok(await pages.trade(codes[1] ?? ''))
  })
})

describe('AcceptCodes', () => {
  it('are good once, for one server with one command', () => {
    const codes = new AcceptCodes()
    const { code } = codes.make('notes', 'hash')
    assert.match(code, /^\d{6}$/)
    assert.equal(codes.spend('shop', 'hash', code), false)
    assert.equal(codes.spend('notes', 'another', code), false)
    assert.equal(codes.spend('notes', 'hash', code), true)
    assert.equal(codes.spend('notes', 'hash', code), false)
  })

  it('end with the third wrong try, after two minutes, and with the next code', (t) => {
    t.after(() => mock.timers.reset())
    mock.timers.enable({ apis: ['Date'], now: Date.now() })
    const codes = new AcceptCodes()
    const guessed = codes.make('notes', 'hash').code
    for (let tries = 0; tries < 3; tries += 1) assert.equal(codes.spend('notes', 'hash', 'wrong!'), false)
    assert.equal(codes.spend('notes', 'hash', guessed), false)
    const late = codes.make('notes', 'hash').code
    assert.equal(codes.open.length, 1)
    mock.timers.tick(2 * minuteMs)
    assert.deepEqual(codes.open, [])
    assert.equal(codes.spend('notes', 'hash', late), false)
    const first = codes.make('notes', 'hash')
    let second = codes.make('notes', 'hash')
    while (second.code === first.code) second = codes.make('notes', 'hash')
    assert.equal(codes.spend('notes', 'hash', first.code), false)
    assert.equal(codes.spend('notes', 'hash', second.code), true)
  })
})
