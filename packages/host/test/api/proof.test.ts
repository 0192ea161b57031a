import assert from 'node:assert/strict'
import { readFileSync } from 'node:fs'
import { createServer } from 'node:net'
import { describe, it } from 'node:test'
import { type ApiRequest, requestOf } from '../../src/api/api-request.ts'
import { apiClient } from '../../src/api/client.ts'
import { decidingRoutes } from '../../src/api/require-proof.ts'
import { type RouteInput, type RouteName, routes } from '../../src/api/routes.ts'
import { proofHeader, type WantedProof } from '../../src/api/wanted-proof.ts'
import { listenFront } from '../../src/gateway/http-front.ts'
import type { Assertion } from '../../src/inbox/proof/passkey.ts'
import type { RunningHost } from '../../src/running/run-host-types.ts'
import { Authenticator } from '../authenticator.ts'
import { callerOf, person, programEntry } from '../run/person.ts'
import { callerIn, project } from '../run/working-in.ts'

interface Answered {
  readonly status: number
  readonly error?: string
  readonly proof?: WantedProof
  readonly [key: string]: unknown
}

/** The API as the command uses it. */
function apiOf({ runningFile }: RunningHost) {
  return apiClient(JSON.parse(readFileSync(runningFile, 'utf8')))
}

/** A page of the console, and its requests. */
async function pageOf({ api, host }: RunningHost) {
  const token = (await api.pages.trade(api.pages.makeCode().code)) ?? ''
  const send = async ({ method, path, body }: ApiRequest, signed?: Assertion): Promise<Answered> => {
    const headers = {
      authorization: `Bearer ${token}`,
      ...(body && { 'content-type': 'application/json' }),
      ...(signed && { [proofHeader]: Buffer.from(JSON.stringify(signed)).toString('base64url') }),
    }
    const sent = await fetch(new URL(path, host.url), { method, headers, body: body ? JSON.stringify(body) : null })
    return { status: sent.status, ...(await sent.json()) }
  }
  return {
    call: <Name extends RouteName>(name: Name, input?: RouteInput<Name>, signed?: Assertion) =>
      send(requestOf(name, input), signed),
  }
}

type TestPage = Awaited<ReturnType<typeof pageOf>>

async function enrolled(page: TestPage, origin: string): Promise<Authenticator> {
  const key = new Authenticator(origin)
  const { challenge } = await page.call('registerPasskey')
  const added = await page.call('addPasskey', { ...key.register(String(challenge)), name: 'laptop' })
  assert.equal(added.status, 200, added.error)
  return key
}

function challengeOf({ proof }: Answered): string {
  assert.equal(proof?.kind, 'passkey')
  return proof?.kind === 'passkey' ? proof.challenge : ''
}

/** A host whose tool "write" destroys, a page with a passkey, and questions about calls. */
async function destroying(running: RunningHost) {
  const { host } = running
  await host.accept('one')
  await host.catalogue.classify('one', 'write', 'destroys')
  const page = await pageOf(running)
  const key = await enrolled(page, host.proof.pageOrigin ?? '')
  const caller = await callerOf(running)
  const ask = async (text: string) => {
    await caller.tools.call('one__write', { text })
    const asked = host.inbox.open.find(({ detail }) => JSON.stringify(detail.arguments) === JSON.stringify({ text }))
    return asked?.id ?? ''
  }
  return { page, key, ask, caller, [Symbol.asyncDispose]: () => caller.close() }
}

describe('a decision that needs the passkey', () => {
  it('is taken with a signature for this question and this choice, once', async () => {
    using ann = person()
    ann.configure({ mcpServers: { one: programEntry() } })
    await using running = await ann.run()
    await using at = await destroying(running)
    const { page, key, ask } = at
    const [first, second] = [await ask('a'), await ask('b')]
    const once = { choice: 'once', door: 'console' } as const
    const refused = await page.call('answer', { id: first, ...once })
    assert.equal(refused.status, 403)
    assert.match(refused.proof?.kind === 'passkey' ? refused.proof.decision : '', /Allow once: one write/)
    const wrong = [
      ['another question', { id: second, ...once }],
      ['another choice', { id: first, ...once, choice: 'always' }],
      ['other arguments', { id: first, ...once, content: { text: 'c' } }],
    ] as const
    for (const [name, input] of wrong) {
      const signed = key.sign(challengeOf(await page.call('answer', { id: first, ...once })))
      const { status, error } = await page.call('answer', input, signed)
      assert.deepEqual([status, /not signed for this decision/.test(error ?? '')], [422, true], name)
    }
    const signed = key.sign(challengeOf(refused))
    assert.equal((await page.call('answer', { id: first, ...once }, signed)).status, 200)
    assert.equal((await page.call('answer', { id: second, ...once }, signed)).status, 422)
    assert.deepEqual(
      running.host.inbox.open.map(({ id }) => id),
      [second],
    )
  })

  it('is refused from a page at another origin or port', async () => {
    using ann = person()
    ann.configure({ mcpServers: { one: programEntry() } })
    await using running = await ann.run()
    await using at = await destroying(running)
    const answer = { id: await at.ask('a'), choice: 'once', door: 'console' } as const
    const { port } = new URL(running.host.url)
    for (const origin of ['http://localhost:1', `http://127.0.0.1:${port}`, `https://localhost:${port}`]) {
      const challenge = challengeOf(await at.page.call('answer', answer))
      const { status, error } = await at.page.call('answer', answer, at.key.sign(challenge, { origin }))
      assert.deepEqual([status, /not at "http:\/\/localhost/.test(error ?? '')], [422, true], origin)
    }
    assert.equal(running.host.inbox.open.length, 1)
  })

  it('is not taken from a caller whose answers count otherwise', async () => {
    using ann = person()
    ann.configure({ mcpServers: { one: programEntry() } })
    await using running = await ann.run()
    await using at = await destroying(running)
    const { token } = await running.host.principals.make({ name: 'approver', isApprover: true })
    let asked = 0
    const { connect } = await import('@trunkline/mcp')
    await using approver = await connect(new URL(running.host.url), {
      http: { headers: { authorization: `Bearer ${token}` } },
      elicitation: () => {
        asked += 1
        return { action: 'accept', content: { decision: 'once' } } as const
      },
    })
    await approver.tools.call('one__write', { text: 'mine' })
    assert.equal(asked, 0)
    const [question] = running.host.inbox.open
    const own = { choice: 'once', by: 'approver' } as const
    await assert.rejects(running.host.inbox.answer(question?.id ?? '', own, { isLocal: false }), /proof of the person/)
    // decisions outside of its scopes are asked as ever
    await approver.tools.call('one__pid', {})
    assert.equal(asked, 1)
    assert.equal(at.key.counter, 0)
  })

  it('is one that changes the policy, or the passkeys themselves', async () => {
    using ann = person()
    ann.configure({ mcpServers: { one: programEntry() } })
    await using running = await ann.run()
    await using at = await destroying(running)
    const { page, key } = at
    const rule = { effect: 'allow', rule: 'one:echo' } as const
    const refused = await page.call('addRule', rule)
    assert.equal((await page.call('addRule', rule, key.sign(challengeOf(refused)))).status, 200)
    for (const [name, input] of [
      ['registerPasskey', undefined],
      ['removePasskey', { passkey: key.id }],
      ['chooseProof', { scopes: ['destroys'] }],
      ['resetProof', { isForgotten: false }],
    ] as const) {
      assert.equal((await page.call(name, input as never)).status, 403, name)
    }
    const remove = { passkey: key.id }
    const signed = key.sign(challengeOf(await page.call('removePasskey', remove)))
    assert.equal((await page.call('removePasskey', remove, signed)).status, 200)
    assert.equal((await page.call('addRule', { ...rule, rule: 'one:pid' })).status, 200)
    const { items } = await apiOf(running).call('ledger', {})
    const proofs = items.filter(({ line }) => line.target === 'proof')
    assert.deepEqual(
      proofs.map(({ line }) => line.outcome),
      ['proof removed', 'proof set'],
    )
  })

  it('hears that a terminal takes the PIN where only that is enrolled', async () => {
    using ann = person()
    ann.configure({ mcpServers: { one: programEntry() } })
    await using running = await ann.run()
    await running.host.proof.setPin('739154', ['everything'])
    const page = await pageOf(running)
    const { status, error } = await page.call('forget', {})
    assert.equal(status, 403)
    assert.match(error ?? '', /This needs your PIN: decide it in a terminal/)
    assert.equal((await page.call('enterPin', { pin: '739154' })).status, 403)
  })
})

it('a project that is not accepted can want a proof for its own questions, and for no others', async () => {
  using ann = person()
  ann.configure({ mcpServers: { one: programEntry() } })
  const shop = project(ann, 'shop', { policy: { proof: ['everything'] } })
  await using running = await ann.run({ endsWhenIdle: true })
  const { host } = running
  await host.accept('one')
  await using inShop = await callerIn(running, shop)
  await using elsewhere = await callerIn(running)
  for (const caller of [inShop, elsewhere]) await caller.tools.call('one__write', { text: 'x' })
  const page = await pageOf(running)
  const asked = host.inbox.open.filter(({ kind }) => kind === 'call')
  const answers = asked.map(async ({ id, project: root }) => {
    const { status, error = '' } = await page.call('answer', { id, choice: 'once', door: 'console' })
    return [root === shop, status, /none is enrolled/.test(error)]
  })
  assert.deepEqual((await Promise.all(answers)).sort(), [
    [false, 200, false],
    [true, 403, true],
  ])
})

it('every route that needs a person can need a proof, or does only acts that the policy judges', () => {
  const judged = ['callTool', 'startTask', 'getPrompt', 'readResource', 'writtenCall', 'sendChat']
  // these decide nothing: a chat, saved input of forms, looks before a decision, pages of a person who is signed in, and the proof itself
  const undecided = [
    'startChat',
    'changeChat',
    'deleteChat',
    'saveRequest',
    'removeRequest',
    'planUpdate',
    'makeAcceptCode',
    'makeAcceptServersCode',
    'makeClientCode',
    'openConsole',
    'vouchForPage',
    'enterPin',
    'keepProof',
  ]
  const known = new Set([...Object.keys(decidingRoutes), 'answer', ...judged, ...undecided])
  const personal = Object.entries(routes).filter(([, { needs }]) => needs === 'person')
  assert.deepEqual(
    personal.map(([name]) => name).filter((name) => !known.has(name)),
    [],
  )
})

it('passkeys are off where another program has the name "localhost" at the port', async () => {
  const squatter = createServer()
  await new Promise<void>((resolve) => squatter.listen({ host: '::1', port: 0, ipv6Only: true }, resolve))
  const { port } = squatter.address() as { port: number }
  const options = { byToken: () => undefined, front: () => undefined }
  const beside = await listenFront({ ...options, port })
  assert.equal(beside.localhost, undefined)
  await beside.close()
  squatter.close()
  const alone = await listenFront(options)
  const { port: taken } = new URL(alone.url)
  assert.equal(alone.localhost, `http://localhost:${taken}`)
  assert.equal((await fetch(`http://[::1]:${taken}/`)).status, 404)
  await alone.close()
})
