import assert from 'node:assert/strict'
import { readFileSync, statSync } from 'node:fs'
import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { join } from 'node:path'
import { describe, it } from 'node:test'
import { until } from '../../../../tools/lib/until.ts'
import type { Host } from '../../src/assembly/host.ts'
import type { Question } from '../../src/inbox/question.ts'
import { parseRule } from '../../src/policy/parse-rule.ts'
import { runningHost, textOf } from '../gateway/running-host.ts'
import { protectedServer } from './protected-server.ts'

const allow = [parseRule('allow', 'vault:*', { layer: 'user', file: 'trunkline.json', line: 1 })]
const revisions = { handshake: ['2025-11-25'], stateless: ['2026-07-28'] } as const

/** Every sign-in question of a host, as it comes. */
function signInQuestions(host: Host): { readonly all: Question[]; next(): Promise<Question> } {
  const all: Question[] = []
  let tell = (_question: Question): void => {}
  host.inbox.addDoor({
    name: 'test',
    isLocal: true,
    present: (question) => {
      if (question.kind !== 'sign-in') return
      all.push(question)
      tell(question)
    },
    withdraw() {},
  })
  return { all, next: () => new Promise((resolve) => (tell = resolve)) }
}

async function freePort(): Promise<number> {
  const server = createServer()
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  const { port } = server.address() as AddressInfo
  await new Promise((resolve) => server.close(resolve))
  return port
}

/** Visits the page as a person does; it sends the browser back. */
async function visit(question: Question): Promise<void> {
  const response = await fetch(String(question.detail.page))
  assert.equal(response.status, 200)
}

/** A host in front of a protected server, after a sign-in. */
async function signedIn(vault: Awaited<ReturnType<typeof protectedServer>>) {
  const running = await runningHost({ rules: allow, ask: { holdMs: 60_000 } })
  const questions = signInQuestions(running.host)
  await running.host.apply([vault.spec])
  const first = questions.next()
  assert.deepEqual(await running.host.accept('vault'), [])
  const learned = new Promise<void>((resolve) => {
    running.host.catalogue.onChange(() => running.host.catalogue.isPinned('vault') && resolve())
  })
  await visit(await first)
  await learned
  return { ...running, questions, [Symbol.asyncDispose]: () => running[Symbol.asyncDispose]() }
}

describe('a server that wants OAuth', () => {
  it('needs a person: one question with the real host, and the server is learned once they signed in', async () => {
    await using vault = await protectedServer()
    await using running = await signedIn(vault)
    const [question, ...others] = running.questions.all
    assert.deepEqual(others, [])
    assert.equal(question?.detail.host, new URL(vault.issuer).host)
    assert.equal(question?.target, new URL(vault.issuer).host)
    assert.ok(String(question?.detail.page).startsWith(vault.issuer))
    assert.equal(running.host.servers.get('vault')?.status.state, 'ready')
    assert.deepEqual(running.host.inbox.open, [])
    await using mcp = await running.dial()
    assert.equal(textOf(await mcp.tools.call('vault__read', { key: 'a' })), 'value of a')
  })

  it('neither the token of a caller goes up, nor that of the server down', async () => {
    await using vault = await protectedServer()
    await using running = await signedIn(vault)
    await using mcp = await running.dial()
    const result = JSON.stringify([await mcp.tools.list().all(), await mcp.tools.call('vault__read', { key: 'a' })])
    const [header = '', ...others] = vault.shown
    assert.deepEqual(others, [])
    assert.match(header, /^Bearer eyJ/)
    assert.ok(!result.includes(header.slice('Bearer '.length)))
  })

  it('has tokens of its own, which no other server sees', async () => {
    await using vault = await protectedServer()
    await using safe = await protectedServer()
    await using running = await signedIn(vault)
    const { host } = running
    await host.apply([vault.spec, { ...safe.spec, name: 'safe' }])
    host.setPolicy({
      rules: [...allow, parseRule('allow', 'safe:*', { layer: 'user', file: 'trunkline.json', line: 2 })],
    })
    const second = running.questions.next()
    await host.accept('safe')
    const learned = new Promise<void>((resolve) => {
      host.catalogue.onChange(() => host.catalogue.isPinned('safe') && resolve())
    })
    await visit(await second)
    await learned
    await using mcp = await running.dial()
    for (const server of ['vault', 'safe'])
      assert.equal(textOf(await mcp.tools.call(`${server}__read`, { key: server })), `value of ${server}`)
    assert.deepEqual([vault.shown.size, safe.shown.size], [1, 1])
    assert.deepEqual(
      [...vault.shown].filter((header) => safe.shown.has(header)),
      [],
    )
    assert.deepEqual([vault.ran.get('safe'), safe.ran.get('vault')], [undefined, undefined])
  })

  it('has its token refreshed by itself when it is about to end, so that no call is turned away first', async () => {
    await using vault = await protectedServer({ tokenMs: 4_000 })
    await using running = await signedIn(vault)
    await using mcp = await running.dial()
    // its own clock is behind, so that it would take the first token for long
    vault.pass(-60_000)
    for (let count = 0; vault.shown.size < 2; count += 1)
      assert.equal(textOf(await mcp.tools.call('vault__read', { key: `${count}` })), `value of ${count}`)
    assert.equal(vault.refused, 0)
    assert.equal(running.questions.all.length, 1)
  })

  it('keeps its tokens among the secrets, where a host that starts again finds them', async () => {
    await using vault = await protectedServer()
    await using running = await signedIn(vault)
    const file = join(running.host.store.path, '..', 'secrets.json')
    assert.equal(statSync(file).mode & 0o777, 0o600)
    assert.ok(Object.keys(JSON.parse(readFileSync(file, 'utf8'))).every((name) => name.startsWith('oauth.vault.')))
    await running.host.servers.get('vault')?.restart()
    assert.equal(running.questions.all.length, 1)
  })

  for (const [shape, revision] of Object.entries(revisions)) {
    it(`a token that ends under 50 calls of a ${shape} caller is refreshed once, and no call is lost`, async () => {
      await using vault = await protectedServer({ tokenMs: 600_000 })
      await using running = await signedIn(vault)
      await using mcp = await running.dial('', { revisions: revision })
      const keys = Array.from({ length: 50 }, (_, at) => `key-${at}`)
      await mcp.tools.call('vault__read', { key: 'before' })
      vault.pass(3_600_000)
      const results = await Promise.all(keys.map((key) => mcp.tools.call('vault__read', { key })))
      assert.deepEqual(
        results.map(textOf),
        keys.map((key) => `value of ${key}`),
      )
      assert.ok(keys.every((key) => vault.ran.get(key) === 1))
      assert.equal(vault.shown.size, 2, 'the token before, and the one that followed')
      assert.equal(running.questions.all.length, 1)
    })
  }

  it('asks once for all calls when its refresh token was revoked, and they go on after the sign-in', async () => {
    await using vault = await protectedServer()
    await using running = await signedIn(vault)
    await using mcp = await running.dial()
    await mcp.tools.call('vault__read', { key: 'before' })
    vault.revokeAll()
    const asked = running.questions.next()
    const keys = Array.from({ length: 20 }, (_, at) => `key-${at}`)
    const results = Promise.all(keys.map((key) => mcp.tools.call('vault__read', { key })))
    const question = await asked
    assert.equal(running.host.servers.get('vault')?.status.state, 'needs you')
    await visit(question)
    assert.deepEqual(
      (await results).map(textOf),
      keys.map((key) => `value of ${key}`),
    )
    assert.equal(running.questions.all.length, 2)
    assert.equal(running.host.servers.get('vault')?.status.state, 'ready')
  })

  it('asks for more scopes where a tool takes more, and keeps its own', async () => {
    await using vault = await protectedServer()
    await using running = await signedIn(vault)
    await using mcp = await running.dial()
    const asked = running.questions.next()
    const more = mcp.tools.call('vault__read_more', {})
    const question = await asked
    assert.match(String(question.detail.page), /scope=more/)
    await visit(question)
    assert.equal(textOf(await more), 'more')
  })
})

describe('a call that needs a sign-in', () => {
  it('is held for a while, gets the reason, and finds them signed in when it comes again', async () => {
    await using vault = await protectedServer()
    await using running = await runningHost({ rules: allow, ask: { holdMs: 1 } })
    const questions = signInQuestions(running.host)
    await running.host.apply([vault.spec])
    const first = questions.next()
    await running.host.accept('vault')
    await visit(await first)
    await using mcp = await running.dial()
    await until(async () => (await mcp.tools.list().all()).length > 0)
    vault.revokeAll()
    const second = questions.next()
    const held = await mcp.tools.call('vault__read', { key: 'a' })
    const question = await second
    assert.equal(held.isError, true)
    assert.match(
      textOf(held),
      new RegExp(`Somebody has to sign in to server "vault" at .* \\(question ${question.id}\\)`),
    )
    assert.ok(!textOf(held).includes('trunkline login'))
    await visit(question)
    let text = ''
    while (text !== 'value of a') text = textOf(await mcp.tools.call('vault__read', { key: 'a' }))
    assert.equal(questions.all.length, 2)
  })

  it('hears that a person refused, and does not ask again at once', async () => {
    await using vault = await protectedServer()
    await using running = await signedIn(vault)
    await using mcp = await running.dial()
    vault.revokeAll()
    const asked = running.questions.next()
    const call = mcp.tools.call('vault__read', { key: 'a' })
    const { id } = await asked
    await running.host.inbox.answer(id, { choice: 'refuse', sentence: 'not today', by: 'terminal' }, { isLocal: true })
    assert.match(textOf(await call), /Nobody signed in to server "vault": a person refused: not today/)
    assert.match(textOf(await mcp.tools.call('vault__read', { key: 'a' })), /a person refused: not today/)
    assert.equal(running.questions.all.length, 2)
    assert.equal(running.host.servers.get('vault')?.status.state, 'needs you')
  })

  it('fails at once without a person to ask', async () => {
    await using vault = await protectedServer()
    await using running = await runningHost({ rules: allow, unattended: true })
    await running.host.apply([vault.spec])
    await assert.rejects(running.host.accept('vault'), /Somebody has to sign in to server "vault", and nobody is here/)
    assert.deepEqual(running.host.inbox.open, [])
  })

  it('an answer opens the page in the browser of this machine', async () => {
    await using vault = await protectedServer()
    const pages: URL[] = []
    await using running = await runningHost({
      rules: allow,
      openPage: async (page) => {
        pages.push(page)
        await fetch(page)
      },
    })
    const questions = signInQuestions(running.host)
    await running.host.apply([vault.spec])
    const first = questions.next()
    await running.host.accept('vault')
    const { id, detail } = await first
    const ready = new Promise<void>((resolve) => running.host.catalogue.onChange(() => resolve()))
    await running.host.inbox.answer(id, { choice: 'once', by: 'terminal' }, { isLocal: true })
    await ready
    assert.deepEqual(pages.map(String), [detail.page])
  })
})

describe('signing in by hand', () => {
  it('gives the page, and says when it is done; signing out forgets the token', async () => {
    await using vault = await protectedServer()
    await using running = await signedIn(vault)
    const { signIns, servers } = running.host
    assert.equal(await signIns.signIn('vault'), undefined)
    await signIns.signOut('vault')
    assert.equal(servers.get('vault')?.status.state, 'waiting')
    assert.match(readFileSync(join(running.host.store.path, '..', 'secrets.json'), 'utf8'), /^\{\}\s*$/)
    const waiting = await signIns.signIn('vault')
    assert.equal(waiting?.page.origin, vault.issuer)
    assert.equal((await signIns.signIn('vault'))?.question, waiting?.question)
    assert.equal((await fetch(waiting?.page ?? '')).status, 200)
    await running.host.inbox.settled(waiting?.question ?? '')
    assert.equal(await signIns.signIn('vault'), undefined)
  })

  it('is refused where there is nothing to sign in to', async () => {
    await using vault = await protectedServer()
    const headers = { Authorization: 'Bearer of-my-own' }
    const spec = { name: 'vault', launch: { kind: 'remote', url: vault.url, headers } } as const
    await using running = await runningHost({ rules: allow })
    await running.host.apply([spec])
    await assert.rejects(running.host.accept('vault'), /401/)
    await assert.rejects(running.host.signIns.signIn('vault'), /a header already says who calls/)
    await assert.rejects(running.host.signIns.signIn('none'), /Cannot find server "none"/)
    assert.deepEqual([...vault.shown], ['Bearer of-my-own'])
  })
})

describe('the configuration of a sign-in', () => {
  it('is used: the client, its secret, the scopes and the port', async () => {
    const asked: unknown[] = []
    const redirectUris = ['http://127.0.0.1:1/callback']
    await using vault = await protectedServer({
      clients: [{ clientId: 'by-hand', clientSecret: 'its-secret', redirectUris }],
      approve: (grant) => {
        asked.push(grant)
        return true
      },
    })
    const oauth = {
      clientId: 'by-hand',
      clientSecret: 'its-secret',
      scopes: ['one', 'two'],
      callbackPort: await freePort(),
    }
    await using running = await runningHost({ rules: allow })
    const questions = signInQuestions(running.host)
    const launch = { kind: 'remote', url: vault.url, headers: {}, oauth } as const
    await running.host.apply([{ name: 'vault', launch }])
    const first = questions.next()
    await running.host.accept('vault')
    const ready = new Promise<void>((resolve) => running.host.catalogue.onChange(() => resolve()))
    const question = await first
    const { searchParams } = new URL(String(question.detail.page))
    assert.equal(searchParams.get('redirect_uri'), `http://127.0.0.1:${oauth.callbackPort}/callback`)
    await visit(question)
    await ready
    assert.deepEqual(asked, [
      { clientId: 'by-hand', subject: 'developer', scopes: ['one', 'two'], resources: [vault.url] },
    ])
  })
})
