import assert from 'node:assert/strict'
import { existsSync, readFileSync, statSync, writeFileSync } from 'node:fs'
import { request } from 'node:http'
import { connect as dialSocket } from 'node:net'
import { join } from 'node:path'
import { describe, it } from 'node:test'
import { pathToFileURL } from 'node:url'
import { until } from '../../../../tools/lib/until.ts'
import { apiClient } from '../../src/api/client.ts'
import { hostEvent } from '../../src/api/event-schemas.ts'
import { PageLogins } from '../../src/api/page-logins.ts'
import type { Route } from '../../src/api/route.ts'
import { routes } from '../../src/api/routes.ts'
import type { RunningHost } from '../../src/running/run-host-types.ts'
import { openStore } from '../../src/store/store.ts'
import { principalTables } from '../../src/store/tables/principal-tables.ts'
import { textOf } from '../gateway/running-host.ts'
import { callerOf, person, programEntry } from '../run/person.ts'
import { temporaryFolder } from '../temporary-folder.ts'

function opened({ runningFile }: RunningHost) {
  const { url, token } = JSON.parse(readFileSync(runningFile, 'utf8')) as { url: string; token: string }
  return { url, token, api: apiClient({ url, token }) }
}

/** The status of a raw request with these headers. */
function statusOf(url: string, headers: { [name: string]: string }, method = 'GET', body?: string): Promise<number> {
  return new Promise((resolve, reject) => {
    const sent = request(url, { method, headers }, (answer) => {
      answer.resume()
      resolve(answer.statusCode ?? 0)
    })
    sent.once('error', reject)
    sent.end(body)
  })
}

interface Operation {
  readonly operationId: string
  readonly parameters?: readonly { readonly name: string; readonly in: string }[]
  readonly requestBody?: object
  readonly responses: {
    readonly [status: string]: { readonly content: { readonly [type: string]: { schema: object } } }
  }
}

describe('the local API', () => {
  it('leads from a configured server to a call: seen, accepted by its exact command, asked about, decided, recorded', async () => {
    using ann = person()
    ann.configure({ mcpServers: { one: programEntry() } })
    await using running = await ann.run()
    const { api } = opened(running)
    const [seen] = (await api.call('servers')).items
    assert.equal(seen?.state, 'needs you')
    assert.equal(seen?.isAccepted, false)
    await assert.rejects(api.call('restart', { server: 'one' }), {
      status: 409,
      message: /^Cannot restart server "one": it was not accepted yet; .*; accept it with "trunkline accept one"$/,
    })
    const [after] = (await api.call('servers')).items
    assert.deepEqual([after?.state, after?.why], [seen?.state, seen?.why], 'it waits for its acceptance as before')
    await assert.rejects(
      api.call('acceptServer', { server: 'one', commandHash: 'another' }),
      /what it would run changed meanwhile/,
    )
    assert.deepEqual(await api.call('acceptServer', { server: 'one', commandHash: seen?.commandHash ?? '' }), {
      setAside: [],
    })
    await assert.rejects(api.call('addClient', { name: 'console' }), /a part of the host has this name/)
    const { token } = await api.call('addClient', { name: 'editor' })
    assert.match(token, /^tl_/)

    await using mcp = await callerOf(running, 'other')
    await mcp.tools.call('one__write', { text: 'a' })
    const question = (await api.call('inbox')).items.find(({ kind }) => kind === 'call')
    assert.deepEqual(question?.detail.arguments, { text: 'a' })
    await api.call('answer', { id: question?.id ?? '', choice: 'once', door: 'terminal' })
    assert.equal(textOf(await mcp.tools.call('one__write', { text: 'a' })), 'a')
    await assert.rejects(
      api.call('answer', { id: question?.id ?? '', choice: 'once', door: 'terminal' }),
      /was answered by terminal/,
    )

    const lines = (await api.call('ledger', { server: 'one', target: 'write' })).items
    assert.equal(lines[0]?.line.outcome, 'ok')
    const act = await api.call('act', { act: lines[0]?.line.act ?? '' })
    assert.deepEqual(act.payloads.arguments, { text: 'a' })
    const [since, until] = [0, Date.now()]
    const searched = await api.call('acts', { search: 'write text "a"', principal: 'other', since, until })
    assert.ok(searched.isIndexed && searched.items.some(({ number }) => number === lines[0]?.number))
    assert.deepEqual((await api.call('ledger', { search: 'nowhere' })).items, [])
    assert.equal((await api.call('callStatistics', { since: until - 60_000, until })).all.calls, 1)
    const [settled] = (await api.call('settledQuestions', { act: String(question?.detail.act) })).items
    assert.deepEqual(
      [settled?.question.detail.arguments, settled?.outcome, settled?.by],
      [{ text: 'a' }, 'once', 'terminal'],
    )
    assert.equal((await api.call('verify')).broken, undefined)
    const [server] = (await api.call('servers')).items
    assert.equal(server?.state, 'ready')
    assert.ok((server?.tokens ?? 0) > 0 && (server?.callsIn30Days ?? 0) >= 1)
  })

  it('records unasked changes of a person, with their door, and that a server started and stopped', async () => {
    using ann = person()
    ann.configure({ mcpServers: { one: programEntry() } })
    await using running = await ann.run()
    await running.host.accept('one')
    const { api, url } = opened(running)
    const page = apiClient({ url, token: (await running.api.pages.trade(running.api.pages.makeCode().code)) ?? '' })
    await api.call('addClient', { name: 'editor', isApprover: true })
    await api.call('trust', { server: 'one', minutes: 30, client: 'editor' })
    await page.call('changeEntry', { server: 'one', tool: 'write', class: 'reads' })
    await page.call('addRule', { effect: 'deny', rule: 'one:crash' })
    await api.call('undoRule')
    const { file } = await api.call('addRule', { effect: 'ask', rule: 'one:echo' })
    await api.call('replaceRule', { effect: 'ask', rule: 'one:echo', file, instead: 'one:echo{text=a}' })
    await page.call('replaceRule', { effect: 'ask', rule: 'one:echo{text=a}', file })
    await assert.rejects(api.call('replaceRule', { effect: 'ask', rule: 'one:echo', file }), /There is no rule ask/)
    assert.deepEqual((await api.call('policy')).rules, [])
    await api.call('addRule', { effect: 'ask', rule: 'one:write' })
    const typed = '{"match":"one:write","by":"local"}'
    await api.call('replaceRule', { effect: 'ask', rule: 'one:write', file, instead: typed })
    assert.deepEqual(
      (await api.call('policy')).rules.map(({ text }) => text),
      [typed],
    )
    await assert.rejects(
      api.call('replaceRule', { effect: 'ask', rule: typed, file, instead: '{"match"' }),
      /it is no JSON/,
    )
    await api.call('forgetTaint', { client: 'editor' })
    await api.call('revoke', { name: 'editor' })
    await api.call('stop', { server: 'one' })
    const told = (await api.call('ledger', {})).items.map(({ line }) => {
      const { kind, principal, server, target, outcome, by, why } = line
      return [kind, principal, server, target, outcome, by, kind === 'changed' ? why : undefined]
        .filter(Boolean)
        .join(' ')
    })
    assert.deepEqual(told.reverse(), [
      'accepted one person',
      'started one ready',
      'changed editor may approve command',
      'changed one trusted command for 30 minutes, for editor',
      'changed one write reads console its class was writes',
      'changed rule added console deny one:crash',
      'changed rule undone command deny one:crash',
      'changed rule added command ask one:echo',
      `changed rule replaced command ask one:echo{text=a} instead of one:echo, in ${file}`,
      `changed rule removed console ask one:echo{text=a}, in ${file}`,
      'changed rule added command ask one:write',
      `changed rule replaced command ask ${typed} instead of one:write, in ${file}`,
      'changed editor taint forgotten command',
      'changed editor revoked command',
      'stopped one stopped',
    ])
    assert.equal((await api.call('verify')).broken, undefined)
  })

  it('every answer is as the schema of its route says', async () => {
    using ann = person()
    ann.configure({ mcpServers: { one: programEntry() }, policy: { deny: ['one:crash'] } })
    await using running = await ann.run()
    await running.host.accept('one')
    const { api } = opened(running)
    const asked = {
      status: await api.call('status'),
      servers: await api.call('servers'),
      catalogue: await api.call('catalogue'),
      inbox: await api.call('inbox'),
      ledger: await api.call('ledger'),
      acts: await api.call('acts', { search: 'one' }),
      callStatistics: await api.call('callStatistics', { since: 0, until: 1 }),
      settledQuestions: await api.call('settledQuestions'),
      savedRequests: await api.call('saveRequest', {
        server: 'one',
        tool: 'echo',
        name: 'a',
        arguments: { text: 'a' },
      }),
      policy: await api.call('policy'),
      explainPolicy: await api.call('explainPolicy', { server: 'one', tool: 'crash' }),
      explainConfig: await api.call('explainConfig', { key: 'policy.deny' }),
      clients: await api.call('clients'),
      log: await api.call('log', { server: 'one' }),
      processes: await api.call('processes', { server: 'one' }),
      planImport: await api.call('planImport'),
      timeline: await api.call('timeline', { since: 0 }),
    }
    for (const [name, answer] of Object.entries(asked)) {
      const { success, error } = routes[name as keyof typeof asked].answer.safeParse(answer)
      assert.ok(success, `${name}: ${error?.message}`)
    }
    assert.equal(asked.explainPolicy.effect, 'deny')
    assert.match(asked.explainPolicy.change, /Remove or narrow the rule at .*trunkline\.json:\d+ \(user\)/)
    assert.match(asked.explainConfig.items[0]?.lines.join('\n') ?? '', /policy\.deny/)
  })

  it('describes itself for other tools', async () => {
    using ann = person()
    await using running = await ann.run()
    const { url } = opened(running)
    const document = (await (await fetch(new URL('/api/openapi.json', url))).json()) as {
      openapi: string
      paths: { [path: string]: { [method: string]: Operation } }
    }
    assert.equal(document.openapi, '3.1.0')
    const described = Object.entries(document.paths).flatMap(([path, methods]) =>
      Object.keys(methods).map((method) => `${method.toUpperCase()} ${path}`),
    )
    const served = Object.values(routes).map(({ method, path }) => `${method} ${path}`)
    assert.deepEqual(described.sort(), [...served, 'GET /api/events', 'GET /api/openapi.json'].sort())
    for (const [name, route] of Object.entries(routes) as [string, Route][]) {
      const operation = document.paths[route.path]?.[route.method.toLowerCase()]
      assert.equal(operation?.operationId, name)
      const inPath = operation.parameters?.filter((one) => one.in === 'path').map((one) => `{${one.name}}`)
      assert.deepEqual(inPath, route.path.match(/\{.+?\}/g) ?? [])
      assert.equal(operation.requestBody !== undefined, route.body !== undefined, name)
      const answer = operation.responses[200]?.content['application/json']?.schema ?? {}
      assert.ok(Object.keys(answer).length > 0, `the answer of ${name} has a schema`)
    }
    const stream = document.paths['/api/events']?.get?.responses[200]?.content['text/event-stream']?.schema
    assert.match(JSON.stringify(stream), /"const":"question".*"const":"line".*"const":"chat"/)
  })

  it('is open only with its token, and only on this machine', async () => {
    using ann = person()
    await using running = await ann.run()
    const { url, token } = opened(running)
    const address = new URL('/api/status', url).href
    const authorization = `Bearer ${token}`
    const endpoint = (await running.host.principals.make({ name: 'editor' })).token
    assert.equal(await statusOf(address, { authorization }), 200)
    assert.equal(await statusOf(address, {}), 401)
    assert.equal(await statusOf(address, { authorization: `Bearer ${endpoint}` }), 401)
    // and the other way round: who may use the API is no caller
    const page = await running.api.pages.trade(running.api.pages.makeCode().code)
    for (const secret of [token, page]) {
      const headers = { authorization: `Bearer ${secret}`, 'content-type': 'application/json' }
      assert.equal(await statusOf(running.host.url, headers, 'POST', '{}'), 401)
    }
    assert.equal(await statusOf(address, { authorization, host: 'evil.example' }), 403)
    assert.equal(await statusOf(address, { authorization, origin: 'http://evil.example' }), 403)
    assert.equal(await statusOf(address, { authorization, origin: new URL(url).origin }), 200)
    const answer = new URL('/api/down', url).href
    assert.equal(await statusOf(new URL('/api/forget', url).href, { authorization }, 'POST', '{}'), 415)
    assert.equal(await statusOf(answer, { origin: 'null' }, 'POST'), 403)
    if (process.platform !== 'win32') assert.equal(statSync(running.runningFile).mode & 0o777, 0o600)
  })

  it('starts no program, whatever is sent to any of its routes, and answers none without the token', async () => {
    using ann = person()
    ann.configure({ mcpServers: { one: programEntry() } })
    await using running = await ann.run()
    const { url, token } = opened(running)
    const pwned = join(ann.project, 'pwned')
    const entry = { command: 'touch', args: [pwned], env: { A: '$(id)' } }
    const text = JSON.stringify({ mcpServers: { evil: entry } })
    const words = {
      server: 'one',
      name: 'evil',
      tool: `; touch ${pwned}`,
      id: `$(touch ${pwned})`,
      uri: pwned,
      key: '..',
    }
    const bodies = [
      { ...words, ...entry, entry, text, servers: ['evil'], commandHash: 'x', digest: 'x', arguments: entry },
      { ...words, name: 'evil-2', entry: { url: `file://${pwned}` }, launcher: entry, editor: 'touch', shell: true },
    ]
    const send = (route: Route, word: string, authorization: object, body: object) => {
      const { method, path } = route
      const address = new URL(path.replaceAll(/\{.+?\}/g, encodeURIComponent(word)), url).href
      const text = method === 'POST' || method === 'PATCH' ? JSON.stringify(body) : undefined
      return statusOf(address, { 'content-type': 'application/json', ...authorization }, method, text)
    }
    for (const [name, route] of Object.entries(routes) as [string, Route][]) {
      // without a server left the bundled one would start, as it should
      if (name === 'down' || name === 'removeServer') continue
      assert.equal(await send(route, 'one', {}, {}), name === 'session' ? 400 : 401, name)
      for (const word of ['one', `../../${pwned}`]) {
        for (const body of bodies) await send(route, word, { authorization: `Bearer ${token}` }, body)
      }
    }
    assert.equal(existsSync(pwned), false)
    assert.deepEqual(
      running.host.servers.status.filter(({ starts }) => starts > 0).map(({ name }) => name),
      [],
    )
  })

  it('says that a server failed, not the host, when it cannot be started anew', async () => {
    using ann = person()
    const program = join(ann.home, 'server.ts')
    const { args } = programEntry() as { args: readonly string[] }
    writeFileSync(program, `import ${JSON.stringify(String(pathToFileURL(args[0] ?? '')))}`)
    ann.configure({ mcpServers: { one: programEntry('upstream', { args: [program] }) } })
    await using running = await ann.run()
    await running.host.accept('one')
    const { api } = opened(running)
    await api.call('restart', { server: 'one' })
    writeFileSync(program, 'process.exit(1)')
    await assert.rejects(api.call('restart', { server: 'one' }), { status: 502, message: /server "one"/ })
  })

  it('names the problem of a request', async () => {
    using ann = person()
    await using running = await ann.run()
    const { api } = opened(running)
    await assert.rejects(api.call('restart', { server: 'none' }), /There is no server "none"; there are "files"/)
    await assert.rejects(api.call('trust', { server: 'files', minutes: 0 }), /minutes/)
    await assert.rejects(api.call('answer', { id: 'x', choice: 'perhaps' as 'once', door: 'terminal' }), /choice/)
  })

  it('trust holds for all of its time and not longer, used or not, and calls that destroy are asked about meanwhile', async (t) => {
    using ann = person()
    ann.configure({ mcpServers: { one: programEntry() } })
    await using running = await ann.run()
    await running.host.accept('one')
    const { api } = opened(running)
    await api.call('changeEntry', { server: 'one', tool: 'echo', class: 'destroys' })
    await using mcp = await callerOf(running)
    const called = async (tool: string, text: string) => textOf(await mcp.tools.call(`one__${tool}`, { text }))
    assert.match(await called('write', 'before'), /waits for a person's approval/)
    const now = Date.now()
    t.mock.timers.enable({ apis: ['Date'], now })
    await api.call('trust', { server: 'one', minutes: 30, client: 'editor' })
    assert.equal(await called('write', 'at once'), 'at once')
    t.mock.timers.setTime(now + 30 * 60_000 - 1)
    assert.equal(await called('write', 'at last'), 'at last')
    assert.match(await called('echo', 'gone'), /waits for a person's approval/)
    t.mock.timers.setTime(now + 30 * 60_000)
    assert.match(await called('write', 'too late'), /waits for a person's approval/)
  })

  it('trades a code for the secret of a page, once', async () => {
    using ann = person()
    await using running = await ann.run()
    const { api, url } = opened(running)
    const { code } = await api.call('code')
    const page = apiClient({ url, token: '' })
    const { secret } = await page.call('session', { code })
    assert.equal((await apiClient({ url, token: secret }).call('status')).pid, process.pid)
    await assert.rejects(page.call('session', { code }), /The code was used, or is too old/)
  })
})

describe('limits of the API', () => {
  it('a body of more than 4 MiB is refused', async () => {
    using ann = person()
    await using running = await ann.run()
    const { url, token } = opened(running)
    const headers = { authorization: `Bearer ${token}`, 'content-type': 'application/json' }
    const body = (bytes: number) => JSON.stringify({ server: 'x'.repeat(bytes - '{"server":""}'.length) })
    const address = new URL('/api/forget', url).href
    assert.equal(await statusOf(address, headers, 'POST', body(4 * 1024 ** 2)), 200)
    assert.equal(await statusOf(address, headers, 'POST', body(4 * 1024 ** 2 + 1)), 413)
  })

  it('a hundred listen to events, and one more is refused as too many', async () => {
    using ann = person()
    await using running = await ann.run()
    const { url, token } = opened(running)
    const address = new URL('/api/events', url).href
    const authorization = `Bearer ${token}`
    for (let count = 0; count < 100; count += 1) assert.equal(await statusOf(address, { authorization }), 200)
    assert.equal(await statusOf(address, { authorization }), 503)
  })

  it('a hundred codes are good at the same time, for a minute; the oldest goes first', async (t) => {
    using folder = temporaryFolder()
    await using store = openStore({ path: join(folder.path, 'pages.db'), rooms: [principalTables] })
    const pages = new PageLogins(store)
    const codes = Array.from({ length: 101 }, () => pages.makeCode().code)
    assert.equal(await pages.trade(codes[0] ?? ''), undefined)
    const secrets: string[] = []
    for (const code of codes.slice(1)) secrets.push((await pages.trade(code)) ?? '')
    assert.ok(secrets.every((secret) => pages.knows(secret)))
    await pages.trade(pages.makeCode().code)
    assert.equal(pages.knows(secrets[0] ?? ''), false)
    assert.ok(new PageLogins(store).knows(secrets[1] ?? ''), 'a host that is started anew knows the pages')
    const { code } = pages.makeCode()
    t.mock.timers.enable({ apis: ['Date'], now: Date.now() + 60_001 })
    assert.equal(await pages.trade(code), undefined)
  })
})

describe('events', () => {
  it('tell of servers, questions, answers and lines as they come, and of open questions first', async () => {
    using ann = person()
    ann.configure({ mcpServers: { one: programEntry() } })
    await using running = await ann.run()
    const { api } = opened(running)
    const seen: string[] = []
    const listening = new AbortController()
    const all = (async () => {
      for await (const event of api.events(listening.signal)) {
        hostEvent.parse(event)
        seen.push(event.event === 'question' ? `question ${event.question.kind}` : event.event)
        if (event.event === 'question' && event.question.kind === 'start') {
          await api.call('answer', { id: event.question.id, choice: 'always', door: 'terminal' })
        }
        if (event.event === 'server' && event.state === 'ready') break
      }
    })()
    await all
    listening.abort()
    assert.equal(seen[0], 'question start')
    assert.ok(seen.includes('withdrawn') && seen.includes('line') && seen.includes('server'), seen.join())
  })

  it('a listener that does not read misses events, and hears how many', async () => {
    using ann = person()
    await using running = await ann.run()
    const { url, token } = opened(running)
    const { port } = new URL(url)
    const socket = dialSocket(Number(port), '127.0.0.1')
    await new Promise((resolve) => socket.once('connect', resolve))
    socket.write(`GET /api/events HTTP/1.1\r\nHost: 127.0.0.1:${port}\r\nAuthorization: Bearer ${token}\r\n\r\n`)
    await new Promise((resolve) => socket.once('data', resolve))
    socket.pause()
    const text = 'x'.repeat(100_000)
    const told = 200
    for (let count = 0; count < told; count += 1) {
      running.api.events.tell({ event: 'log', server: 'one', lines: [{ at: count, text, number: count }] })
      await new Promise((resolve) => setImmediate(resolve))
    }
    let received = ''
    socket.setEncoding('utf8')
    socket.on('data', (piece) => (received += piece))
    socket.resume()
    const missed = () => Number(/"missed","count":(\d+)/.exec(received)?.[1] ?? 0)
    // also when there are no more events after the missed ones
    await until(() => missed() !== 0)
    const logs = received.split('"event":"log"').length - 1
    assert.ok(logs < told)
    assert.equal(logs + missed(), told)
    socket.destroy()
  })

  it('has room for a hundred listeners; one more is refused, and finds a place when one has left', async () => {
    using ann = person()
    await using running = await ann.run()
    const { url, token } = opened(running)
    const stop = new AbortController()
    const listen = (signal?: AbortSignal) =>
      fetch(new URL('/api/events', url), {
        headers: { authorization: `Bearer ${token}` },
        ...(signal && { signal }),
      })
    const first = await listen(stop.signal)
    const others = await Promise.all(Array.from({ length: 99 }, () => listen()))
    assert.ok([first, ...others].every(({ status }) => status === 200))
    const more = await listen()
    assert.deepEqual([more.status, await more.json()], [503, { error: 'Too many listen to events already' }])
    stop.abort()
    await until(() => running.api.events.hasRoom)
    const next = await listen()
    assert.equal(next.status, 200)
    for (const { body } of [next, ...others]) await body?.cancel()
  })
})
