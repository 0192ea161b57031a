import assert from 'node:assert/strict'
import { createHash } from 'node:crypto'
import { once } from 'node:events'
import { request } from 'node:http'
import { createConnection } from 'node:net'
import { describe, it } from 'node:test'
import { connect } from '@trunkline/mcp'
import { relay } from '@trunkline/mcp/relay'
import { until } from '../../../../tools/lib/until.ts'
import { lineProtocol, projectHeader } from '../../src/gateway/bridge/line-protocol.ts'
import { listenFront } from '../../src/gateway/http-front.ts'
import { parseRule } from '../../src/policy/parse-rule.ts'
import { programSpec, runningHost, textOf } from './running-host.ts'

/** Posts with headers that a browser or a program elsewhere would send; gives the status. */
function post(url: string, headers: { readonly [name: string]: string }): Promise<number> {
  return new Promise((resolve, reject) => {
    const sent = request(
      url,
      { method: 'POST', headers: { 'content-type': 'application/json', ...headers } },
      (answer) => {
        answer.resume()
        resolve(answer.statusCode ?? 0)
      },
    )
    sent.on('error', reject)
    sent.end('{}')
  })
}

const editor = { id: 'editor', name: 'editor', isApprover: false }
const nothing = () =>
  relay({
    name: 'nothing',
    version: '1',
    keys: ['a key for tests, of thirty-two characters and more'],
    capabilities: {},
    handle: async () => ({}),
  })

describe('an address that was not asked for before', () => {
  it('opens the directory of a caller with a token alone, and names its problems', async () => {
    const opened: (string | undefined)[] = []
    const front = await listenFront({
      byToken: (token) => (token === 'known' ? editor : undefined),
      front: () => undefined,
      addresses: () => ['/mcp', '/mcp/server/two'],
      async ready(project) {
        opened.push(project)
        if (project === '/nowhere') throw new Error('Cannot work in "/nowhere": there is no such directory')
      },
    })
    const ask = async (headers: { readonly [name: string]: string }) => {
      const answer = await fetch(`${front.url}/server/one`, { headers })
      return `${answer.status} ${await answer.text()}`
    }
    assert.match(await ask(projectHeader('/private')), /^404 There is no server "one" at this host\. Connect (?!.*two)/)
    const authorization = 'Bearer known'
    assert.match(await ask({ authorization, ...projectHeader('/nowhere') }), /^400 Cannot work in "\/nowhere"/)
    assert.match(await ask({ authorization, 'trunkline-project': '%E0%A4%A' }), /^400 Cannot read the header/)
    assert.equal(
      await ask({ authorization, ...projectHeader('/shop') }),
      '404 There is no server "one" at this host. There are /mcp, /mcp/server/two\n',
    )
    assert.deepEqual(opened, [undefined, '/nowhere', '/shop'])
    await front.close()
  })

  it('is one of a limited number', async () => {
    const front = await listenFront({ everybody: editor, byToken: () => editor, front: nothing, maxEndpoints: 2 })
    const statusOf = (name: string) => post(`${front.url}/server/${name}`, {})
    assert.deepEqual(await Promise.all(['a', 'b', 'a'].map(statusOf)), [400, 400, 400])
    assert.equal(await statusOf('c'), 503)
    assert.equal(await statusOf('b'), 400)
    await front.close()
  })
})

describe('the endpoint', () => {
  it('is in use for as long as a client is connected, and not only while it asks', async () => {
    await using running = await runningHost({ servers: [] })
    const mcp = await running.dial('', { revisions: ['2025-11-25'] })
    await mcp.watch({ tools: true }, () => {})
    await new Promise((resolve) => setTimeout(resolve, 50))
    assert.equal(running.host.idleMs, 0)
    await mcp.close()
    await until(() => running.host.idleMs !== 0)
  })

  it('has a limited number of connections: one more is dropped, until a client leaves', async () => {
    const front = await listenFront({ everybody: editor, byToken: () => editor, front: nothing, maxConnections: 2 })
    const { host, port, pathname } = new URL(front.url)
    const ask = `POST ${pathname} HTTP/1.1\r\nhost: ${host}\r\ncontent-length: 0\r\n\r\n`
    /** Asks on a connection of its own, which stays; undefined where it is dropped. */
    const asking = async () => {
      const socket = createConnection(Number(port), '127.0.0.1').on('error', () => {})
      socket.write(ask)
      const isAnswered = await new Promise<boolean>((resolve) => {
        socket.once('data', () => resolve(true)).once('close', () => resolve(false))
      })
      return isAnswered ? socket : undefined
    }
    const [first, second, third] = [await asking(), await asking(), await asking()]
    assert.ok(first && second)
    assert.equal(third, undefined)
    second.write(ask)
    assert.match(String((await once(second, 'data'))[0]), /^HTTP\/1\.1 4/)
    first.destroy()
    let next = await asking()
    while (!next) next = await asking()
    await front.close()
  })

  it('does not wait for ever for a request that was begun', async () => {
    const front = await listenFront({ everybody: editor, byToken: () => editor, front: nothing, headersTimeoutMs: 50 })
    const socket = createConnection(Number(new URL(front.url).port), '127.0.0.1')
    socket.write('POST /mcp HTTP/1.1\r\nhost: ')
    assert.match(String((await once(socket, 'data'))[0]), /^HTTP\/1\.1 408/)
    await once(socket, 'close')
    await front.close()
  })

  it('answers a request that came on an unused connection while the host was held up', async (context) => {
    const front = await listenFront({ everybody: editor, byToken: () => editor, front: nothing, unusedMs: 100 })
    context.after(() => front.close())
    const socket = createConnection(Number(new URL(front.url).port), '127.0.0.1')
    const answer = async () => String((await once(socket, 'data', { signal: AbortSignal.timeout(60_000) }))[0])
    const ask = 'GET /elsewhere HTTP/1.1\r\nhost: 127.0.0.1\r\n\r\n'
    socket.write(ask)
    assert.match(await answer(), /^HTTP\/1\.1 4/)
    socket.write(ask)
    // Node waits a second longer than it says
    Atomics.wait(new Int32Array(new SharedArrayBuffer(4)), 0, 0, 1_600)
    assert.match(await answer(), /^HTTP\/1\.1 4/)
    await once(socket, 'close')
  })

  it('listens on loopback, and lets no foreign Host or Origin in, with or without a token', async () => {
    await using running = await runningHost({ servers: [] })
    const { token } = await running.host.principals.make({ name: 'editor' })
    const authorization = `Bearer ${token}`
    const { url } = running.host
    assert.equal(new URL(url).hostname, '127.0.0.1')
    assert.equal(await post(url, { authorization, host: 'evil.example' }), 403)
    assert.equal(await post(url, { authorization, origin: 'https://evil.example' }), 403)
    assert.equal(await post(url, { authorization, origin: 'null' }), 403)
    assert.equal(await post(url, { host: 'evil.example' }), 403)
    assert.equal(await post(url, { authorization: 'Bearer wrong' }), 401)
  })

  it('knows a program by its token, of which it keeps a hash, and not by the name it gives itself', async () => {
    const deny = parseRule('deny', { match: 'one:*', principal: 'agent' }, { layer: 'user', file: 'x', line: 1 })
    await using running = await runningHost({ servers: [programSpec('one')], rules: [deny] })
    const { host } = running
    const call = async (token: string, name: string) => {
      const http = { headers: { authorization: `Bearer ${token}` } }
      await using mcp = await connect(new URL(host.url), { http, info: { name, version: '1' } })
      return textOf(await mcp.tools.call('one__echo', { text: 'x' }))
    }
    const agent = (await host.principals.make({ name: 'agent' })).token
    const editor = (await host.principals.make({ name: 'editor' })).token
    assert.match(await call(agent, 'editor'), /The policy denies/)
    assert.equal(await call(editor, 'agent'), 'x')
    const kept = JSON.stringify(host.store.database.prepare('SELECT * FROM principal').all())
    for (const token of [agent, editor]) {
      assert.ok(!kept.includes(token.slice(3)))
      assert.ok(kept.includes(createHash('sha256').update(token).digest('hex')))
    }
  })

  it('keeps nothing of a hundred clients that come, watch, call and go without a word', async () => {
    await using running = await runningHost({ servers: [programSpec('one')] })
    const { host } = running
    const { token } = await host.principals.make({ name: 'editor' })
    const http = { headers: { authorization: `Bearer ${token}` } }
    for (let round = 0; round < 10; round += 1) {
      const clients = await Promise.all(
        Array.from({ length: 10 }, (_, index) =>
          connect(new URL(host.url), { http, revisions: [index % 2 ? '2025-11-25' : '2026-07-28'] }),
        ),
      )
      await Promise.all(
        clients.map(async (mcp) => {
          await mcp.watch({ tools: true, uris: ['x:y'] }, () => {})
          await mcp.tools.call('one__echo', { text: 'x' })
          await mcp.close()
        }),
      )
    }
    assert.equal(host.calls.size, 0)
    await until(() => host.watchers.size === 0)
    assert.equal(host.servers.get('one')?.status.starts, 1)
    assert.equal(host.servers.get('one')?.status.calls, 0)
  })

  it('lists fifty servers from the store, without starting one of them', async () => {
    const names = Array.from({ length: 50 }, (_, index) => `server-${index}`)
    const specs = names.map((name) => programSpec(name))
    await using running = await runningHost({ servers: [programSpec('one')] })
    const { host } = running
    await host.apply([programSpec('one'), ...specs])
    const offered = host.catalogue.entries('one').map(({ definition }) => definition)
    for (const { name } of specs) {
      await host.catalogue.acceptCommand(name, 'as before')
      await host.catalogue.offer(name, { tools: offered, prompts: [], templates: [] })
      await host.catalogue.pin(name)
    }
    await using mcp = await running.dial()
    const tools = await mcp.tools.list().all()
    for (const name of names)
      assert.ok(
        tools.some((tool) => tool.name === `${name}__echo`),
        name,
      )
    assert.deepEqual(
      names.filter((name) => host.servers.get(name)?.status.starts !== 0),
      [],
    )
  })
})

describe('a connection of lines', () => {
  it('is opened with the token and for no page: no foreign Host, and no Origin at all', async () => {
    const named: string[] = []
    const front = await listenFront({
      byToken: () => undefined,
      lines: {
        token: 'secret',
        clients: {
          connect: async ({ name }) => {
            named.push(name)
            return editor
          },
          isKnown: () => true,
          closed() {},
        },
      },
      front: nothing,
    })
    const { host: own, port, pathname } = new URL(front.url)
    const opened = async (headers: { readonly [name: string]: string }) => {
      const all = {
        host: own,
        connection: 'upgrade',
        upgrade: lineProtocol,
        authorization: 'Bearer secret',
        ...headers,
      }
      const lines = Object.entries(all).map(([name, value]) => `${name}: ${value}\r\n`)
      const socket = createConnection(Number(port), '127.0.0.1')
      socket.write(`GET ${pathname} HTTP/1.1\r\n${lines.join('')}\r\n`)
      const [answer] = await once(socket, 'data')
      socket.destroy()
      return Number(/^HTTP\/1.1 (\d+)/.exec(String(answer))?.[1])
    }
    for (const origin of ['https://evil.example', 'null', `http://${own}`, 'http://localhost'])
      assert.equal(await opened({ origin }), 403, origin)
    assert.equal(await opened({ host: 'evil.example' }), 403)
    assert.equal(await opened({ authorization: 'Bearer wrong' }), 401)
    assert.equal(await opened({ authorization: '' }), 401)
    assert.equal(await opened({ upgrade: 'websocket' }), 400)
    assert.deepEqual(named, [])
    assert.equal(await opened({}), 101)
    assert.deepEqual(named, ['stdio'])
    await front.close()
  })
})

describe('a client whose token is ended', () => {
  const listening = (url: string, headers: { readonly [name: string]: string }) => {
    const envelope = {
      'io.modelcontextprotocol/protocolVersion': '2026-07-28',
      'io.modelcontextprotocol/clientInfo': { name: 'test', version: '1' },
      'io.modelcontextprotocol/clientCapabilities': {},
    }
    const params = { notifications: { toolsListChanged: true }, _meta: envelope }
    return fetch(url, {
      method: 'POST',
      headers: {
        'content-type': 'application/json',
        accept: 'application/json, text/event-stream',
        'mcp-protocol-version': '2026-07-28',
        'mcp-method': 'subscriptions/listen',
        ...headers,
      },
      body: JSON.stringify({ jsonrpc: '2.0', id: 1, method: 'subscriptions/listen', params }),
    })
  }

  it('hears nothing more on its open streams, also when it has another token now; streams of others go on', async () => {
    await using running = await runningHost({ servers: [programSpec('tools')] })
    const { host } = running
    const { principals } = host
    const streamOf = async (name: string) => {
      const { token } = await principals.make({ name })
      const answer = await listening(host.url, { authorization: `Bearer ${token}` })
      assert.equal(answer.status, 200)
      const reader = (answer.body as ReadableStream<Uint8Array>).getReader()
      await reader.read()
      return reader
    }
    const names = ['revoked', 'replaced', 'renewed', 'kept'] as const
    const [revoked, replaced, renewed, kept] = [...(await Promise.all(names.map(streamOf)))] as const
    assert.ok(revoked && replaced && renewed && kept)
    assert.equal(await principals.revoke('revoked'), true)
    await principals.make({ name: 'replaced' })
    await principals.renew('renewed')
    for (const ended of [revoked, replaced, renewed]) {
      await assert.rejects(async () => {
        while (!(await ended.read()).done);
        throw new Error('closed')
      }, /closed|terminated/)
    }
    const more = kept.read()
    await host.catalogue.hide('tools', 'tool', 'echo', true)
    assert.match(new TextDecoder().decode((await more).value), /tools\/list_changed/)
    await kept.cancel()
  })

  it('is not admitted again by its name alone, before a person adds it; two connections at once are one client', async () => {
    await using running = await runningHost({ servers: [], isInstalled: async () => true })
    const { principals, clients } = running.host
    const launched = (name: string) => clients.connect({ name, program: undefined })
    const [first, second] = await Promise.all([launched('editor'), launched('editor')])
    assert.equal(first.id, second.id)
    await principals.revoke('editor')
    await assert.rejects(launched('editor'), {
      message: 'The client "editor" was revoked; a person lets it in again with "trunkline clients add editor"',
    })
    assert.deepEqual(principals.revoked(), ['editor'])
    await principals.make({ name: 'editor', isApprover: true })
    assert.deepEqual(principals.revoked(), [])
    assert.equal((await launched('editor')).isApprover, true)
    for (const name of ['app', 'chat', 'command', 'console']) {
      await assert.rejects(launched(name), /a part of the host has this name/)
    }
  })

  it('within the host is another one from then on', async () => {
    await using running = await runningHost({ servers: [programSpec('tools')] })
    const { host } = running
    const call = async () => textOf(await (await host.clientOf('tools', 'console')).tools.call('echo', { text: 'a' }))
    assert.equal(await call(), 'a')
    const client = await host.clientOf('tools', 'console')
    await host.principals.revoke('console')
    await client.whenClosed
    assert.equal(await call(), 'a')
  })

  it('loses its connection of lines', async () => {
    let isKnown = true
    let ended = (): void => {}
    const front = await listenFront({
      byToken: () => undefined,
      lines: { token: 'secret', clients: { connect: async () => editor, isKnown: () => isKnown, closed() {} } },
      onEnded: (listener) => {
        ended = listener
        return () => {}
      },
      front: nothing,
    })
    const { host, port, pathname } = new URL(front.url)
    const socket = createConnection(Number(port), '127.0.0.1')
    const upgrade = `connection: upgrade\r\nupgrade: ${lineProtocol}\r\nauthorization: Bearer secret`
    socket.write(`GET ${pathname} HTTP/1.1\r\nhost: ${host}\r\n${upgrade}\r\n\r\n`)
    const [answer] = await once(socket, 'data')
    assert.match(String(answer), /^HTTP\/1.1 101/)
    const closed = once(socket, 'close')
    ended()
    assert.equal(socket.destroyed, false)
    isKnown = false
    ended()
    await closed
    await front.close()
  })
})
