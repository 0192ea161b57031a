import assert from 'node:assert/strict'
import { readFileSync } from 'node:fs'
import { describe, it, mock } from 'node:test'
import { until } from '../../../../tools/lib/until.ts'
import { AcceptCodes } from '../../src/api/accept-codes.ts'
import { requestOf } from '../../src/api/api-request.ts'
import { type ApiTarget, apiClient } from '../../src/api/client.ts'
import type { RunningHost } from '../../src/running/run-host-types.ts'
import { person, programEntry } from '../run/person.ts'

/** API target of a page that was opened with a code from the terminal. */
async function targetOf({ runningFile, api }: RunningHost): Promise<ApiTarget> {
  const { url } = JSON.parse(readFileSync(runningFile, 'utf8')) as { url: string }
  return { url, token: (await api.pages.trade(api.pages.makeCode().code)) ?? '' }
}

/** The API as a page sees it. */
async function pageOf(running: RunningHost) {
  return apiClient(await targetOf(running))
}

describe('a page', () => {
  it('lets in no other pages and programs, and starts no program without a code from the terminal', async () => {
    using ann = person()
    ann.configure({ mcpServers: { one: programEntry() } })
    const codes: string[] = []
    await using running = await ann.run({ onAcceptCode: ({ code }) => codes.push(code) })
    const page = await pageOf(running)
    for (const route of ['code', 'acceptCodes'] as const) await assert.rejects(page.call(route), /for the command/)
    await assert.rejects(page.call('addClient', { name: 'mine' }), /for the command/)
    const [server] = (await page.call('servers')).items
    const accept = { server: 'one', commandHash: server?.commandHash ?? '' }
    await assert.rejects(page.call('acceptServer', accept), /not the code that the terminal shows/)
    const [question] = (await page.call('inbox')).items
    const answer = { id: question?.id ?? '', choice: 'once', door: 'console' } as const
    await assert.rejects(page.call('answer', answer), /with a code from the terminal/)
    await page.call('makeAcceptCode', { server: 'one' })
    await page.call('acceptServer', { ...accept, code: codes[0] ?? '' })
    assert.equal(running.host.isAccepted('one'), true)
    await assert.rejects(page.call('acceptServer', { ...accept, code: codes[0] ?? '' }), /not the code/)
  })

  it('accepts many servers with one code, exactly as they were shown; one that changed meanwhile is refused', async () => {
    using ann = person()
    const settings = (more: object) => ({
      mcpServers: { one: programEntry(), two: programEntry('shelf'), three: { command: 'three', ...more } },
    })
    ann.configure(settings({}))
    const shown: (readonly string[])[] = []
    const codes: string[] = []
    await using running = await ann.run({
      onAcceptCode: ({ code, servers = [] }) => {
        codes.push(code)
        shown.push(servers)
      },
    })
    const page = await pageOf(running)
    const servers = (await page.call('servers')).items.map(({ name: server, commandHash }) => ({ server, commandHash }))
    const accept = (some: typeof servers, code: string) => page.call('acceptServers', { servers: some, code })
    await assert.rejects(accept(servers, '123456'), /not the code/)
    await page.call('makeAcceptServersCode', { servers: servers.slice(0, 2) })
    assert.deepEqual(shown, [['one', 'two']])
    await assert.rejects(accept(servers, codes[0] ?? ''), /not the code/, 'one more than was shown')
    await assert.rejects(accept(servers.slice(0, 1), codes[0] ?? ''), /not the code/, 'one less than was shown')
    const others = servers.map((one) => ({ ...one, commandHash: 'another' }))
    await assert.rejects(page.call('makeAcceptServersCode', { servers: others }), /changed meanwhile/)
    const many = Array.from({ length: 51 }, () => ({ server: 'one', commandHash: 'x' }))
    await assert.rejects(page.call('makeAcceptServersCode', { servers: many }), /50 items/)
    await assert.rejects(page.call('makeAcceptServersCode', { servers: many.slice(1) }), /changed meanwhile/)
    await page.call('makeAcceptServersCode', { servers })
    ann.configure(settings({ args: ['--delete-everything'] }))
    await running.reload()
    await until(async () => {
      const now = (await page.call('servers')).items.find(({ name }) => name === 'three')
      return now?.command.includes('--delete-everything') === true
    })
    const { items } = await accept(servers, codes[1] ?? '')
    assert.deepEqual(
      items.map(({ server, problem = '' }) => [server, /changed meanwhile/.test(problem)]),
      [
        ['one', false],
        ['two', false],
        ['three', true],
      ],
    )
    assert.deepEqual(
      ['one', 'two', 'three'].map((name) => running.host.isAccepted(name)),
      [true, true, false],
    )
    await assert.rejects(accept(servers, codes[1] ?? ''), /not the code/, 'a code is good once')
  })

  it('vouches for a new page with a code that works once; nothing else does', async () => {
    using ann = person()
    await using running = await ann.run()
    const target = await targetOf(running)
    const vouch = (token: string, origin?: string) =>
      fetch(new URL('/api/codes/vouch', target.url), {
        method: 'POST',
        headers: { authorization: `Bearer ${token}`, ...(origin !== undefined && { origin }) },
      })
    const { code } = (await (await vouch(target.token)).json()) as { code: string }
    const secret = await running.api.pages.trade(code)
    assert.ok(secret !== undefined && secret !== target.token && running.api.pages.knows(secret))
    assert.equal(await running.api.pages.trade(code), undefined)
    const { token: ofCommand } = JSON.parse(readFileSync(running.runningFile, 'utf8')) as { token: string }
    const refused = [vouch(''), vouch(code), vouch(ofCommand), vouch(target.token, 'http://evil.test')]
    assert.deepEqual(
      (await Promise.all(refused)).map(({ status }) => status),
      [401, 401, 403, 403],
    )
  })

  it('runs tools as the program "console", judged and recorded like any other', async () => {
    using ann = person()
    ann.configure({ mcpServers: { one: programEntry() }, policy: { deny: ['one:crash'] } })
    await using running = await ann.run()
    await running.host.accept('one')
    const page = await pageOf(running)
    const run = { server: 'one', run: 'a', arguments: { text: 'hello' } }
    const { result, trace } = await page.call('callTool', { ...run, tool: 'echo' })
    assert.deepEqual(result?.content, [{ type: 'text', text: 'hello' }])
    const [line] = (await page.call('ledger', { server: 'one', target: 'echo' })).items
    assert.deepEqual([line?.line.principal, line?.line.trace], ['console', trace])
    const denied = await page.call('callTool', { ...run, tool: 'crash', arguments: {} })
    assert.equal(denied.result?.isError, true)
  })
})

describe('a call of an app', () => {
  it('asks for as long as its app waits for it', async () => {
    using ann = person()
    ann.configure({ mcpServers: { one: programEntry() } })
    await using running = await ann.run()
    await running.host.accept('one')
    const { url, token } = await targetOf(running)
    const page = apiClient({ url, token })
    const { ledger, inbox } = running.host
    const isHeld = () =>
      new Promise<void>((resolve) => {
        const stop = ledger.onLine(({ line }) => {
          if (line.outcome !== 'waiting') return
          stop()
          resolve()
        })
      })
    const withdrawn = new Promise<string>((resolve) => {
      inbox.addDoor({ name: 'test', isLocal: true, present() {}, withdraw: (_id, why) => resolve(why) })
    })
    const call = async () => {
      const arguments_ = { text: 'hello' }
      const asked = requestOf('callTool', { server: 'one', tool: 'write', run: 'a', arguments: arguments_, by: 'app' })
      const leave = new AbortController()
      const held = isHeld()
      const answer = fetch(new URL(asked.path, url), {
        method: asked.method,
        headers: { authorization: `Bearer ${token}`, 'content-type': 'application/json' },
        body: JSON.stringify(asked.body),
        signal: leave.signal,
      })
      const gone = assert.rejects(answer, /abort/)
      await held
      return { gone, leave: () => leave.abort() }
    }
    const [first, second] = [await call(), await call()]
    first.leave()
    await first.gone
    // both share one question, which the other still waits for
    assert.deepEqual(
      (await page.call('inbox')).items.map(({ principal, target }) => [principal, target]),
      [['app', 'write']],
    )
    second.leave()
    await second.gone
    assert.equal(await withdrawn, 'the app was closed')
    assert.deepEqual(inbox.open, [])
  })
})

describe('codes to accept servers', () => {
  it('end with three wrong tries, and are good for one command; a hundred are kept', () => {
    const codes = new AcceptCodes()
    const { code } = codes.make('one', 'hash')
    const wrong = code === '000000' ? '000001' : '000000'
    assert.equal(codes.spend('one', 'another hash', code), false)
    for (let tries = 0; tries < 3; tries += 1) assert.equal(codes.spend('one', 'hash', wrong), false)
    assert.equal(codes.spend('one', 'hash', code), false)
    const first = codes.make('first', 'hash')
    for (let count = 0; count < 100; count += 1) codes.make(`server ${count}`, 'hash')
    assert.equal(codes.spend('first', 'hash', first.code), false)
    assert.equal(codes.open.length, 100)
  })

  it('are made ten times in an hour for one server, and the refusal says when the next one can be made', () => {
    const clock = mock.timers
    clock.enable({ apis: ['Date'], now: 1_000_000 })
    try {
      const codes = new AcceptCodes()
      for (let count = 0; count < 10; count += 1) {
        codes.make('one', 'hash')
        clock.tick(60_000)
      }
      const refused =
        /^Cannot make a code for server "one": 10 codes were made .*the next one can be made in 50 minutes/
      assert.throws(
        () => codes.make('one', 'hash'),
        (error: Error) => refused.test(error.message),
      )
      codes.make('another', 'hash')
      clock.tick(50 * 60_000)
      codes.make('one', 'hash')
      assert.throws(() => codes.make('one', 'hash'), /in 1 minutes/)
    } finally {
      clock.reset()
    }
  })
})
