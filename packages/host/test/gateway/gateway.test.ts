import assert from 'node:assert/strict'
import { appendFileSync, readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { after, before, describe, it } from 'node:test'
import { type Client, connect, type Fields, server } from '@trunkline/mcp'
import { serveHttp } from '@trunkline/mcp/node'
import { z } from 'zod'
import { until } from '../../../../tools/lib/until.ts'
import { holdFor } from '../../src/acts/hold-time.ts'
import { queryLedger } from '../../src/ledger/query.ts'
import { parseRule } from '../../src/policy/parse-rule.ts'
import { deferred } from '../../src/relay/deferred.ts'
import { temporaryFolder } from '../temporary-folder.ts'
import { programSpec, type RunningHost, runningHost, textOf } from './running-host.ts'

const source = { layer: 'user', file: 'trunkline.json', line: 1 }
const allow = (text: string) => parseRule('allow', text, source)
const deny = (text: string) => parseRule('deny', text, source)
const revisions = { handshake: ['2025-11-25'], stateless: ['2026-07-28'] } as const

/** The open question of a client. */
const questionFor = ({ host }: RunningHost, client: string) =>
  host.inbox.open.find(({ principal }) => principal === client) ?? assert.fail(`nobody is asked for ${client}`)

describe('the gateway', () => {
  const things = new AsyncDisposableStack()
  // hosts for clients of different names
  let usual: RunningHost
  let ruled: RunningHost
  let holding: RunningHost
  let hardlyHolding: RunningHost
  before(async () => {
    const servers = [programSpec('one')]
    usual = things.use(await runningHost({ servers }))
    ruled = things.use(await runningHost({ servers, rules: [allow('one:*'), deny('one:write{text=no}')] }))
    holding = things.use(await runningHost({ servers, ask: { holdMs: 60_000, progressMs: 20 } }))
    hardlyHolding = things.use(await runningHost({ servers, ask: { holdMs: 1 } }))
  })
  after(() => things.disposeAsync())

  it('offers every server under names that tell them apart, and one server under its own', async () => {
    const servers = [programSpec('one'), programSpec('two')]
    await using running = await runningHost({ servers, rules: [allow('*:pid')] })
    await using all = await running.dial('')
    const names = (await all.tools.list().all()).map(({ name }) => name)
    assert.ok(names.includes('one__echo') && names.includes('two__echo'), names.join())
    const pids = ['one', 'two'].map(async (name) => textOf(await all.tools.call(`${name}__pid`, {})))
    const [one, two] = await Promise.all(pids)
    assert.notEqual(one, two)
    await using own = await running.dial('/server/one', { name: 'other' })
    assert.equal(textOf(await own.tools.call('pid', {})), one)
    assert.ok((await own.tools.list().all()).some(({ name }) => name === 'echo'))
  })

  for (const [shape, revision] of Object.entries(revisions)) {
    it(`a ${shape} caller reaches allowed tools, and both hops are recorded`, async (t) => {
      const { host } = ruled
      const name = `${shape}-allowed`
      await using mcp = await ruled.dial('', { name, revisions: revision })
      // a call without a question does not wait for the disk
      const disk = deferred<void>()
      const durable = host.store.durable.bind(host.store)
      t.mock.method(host.store, 'durable', (write: () => void) => disk.promise.then(() => durable(write)))
      let answer: string | undefined
      const call = mcp.tools.call('one__write', { text: 'hello' }).then((result) => {
        answer = textOf(result)
      })
      try {
        await until(() => answer !== undefined, 'an answer while the disk takes nothing')
      } finally {
        disk.resolve()
        await call
      }
      assert.equal(answer, 'hello')
      const lines = queryLedger(host.store, { server: 'one', target: 'write' }).filter(
        ({ line }) => line.principal === name,
      )
      assert.deepEqual(
        lines.map(({ line }) => `${line.kind} ${line.outcome ?? ''}`.trim()),
        ['ended ok', 'began'],
      )
      assert.equal(host.ledger.verify().broken, undefined)
    })

    it(`a denied call does not reach the server, for a ${shape} caller`, async () => {
      const name = `${shape}-denied`
      await using mcp = await ruled.dial('', { name, revisions: revision })
      const result = await mcp.tools.call('one__write', { text: 'no' })
      assert.equal(result.isError, true)
      assert.match(textOf(result), /The policy denies call "write" of server "one"/)
      const denied = queryLedger(ruled.host.store, { outcome: 'denied' })
      assert.equal(denied.filter(({ line }) => line.principal === name).length, 1)
    })

    it(`a ${shape} caller with a person in front is asked in place, and the call runs once`, async (t) => {
      const { host } = usual
      const asked: string[] = []
      await using mcp = await usual.dial('', {
        name: `${shape}-asked`,
        revisions: revision,
        isApprover: true,
        elicitation: ({ message }) => {
          asked.push(message)
          return { action: 'accept', content: { decision: 'once' } }
        },
      })
      const synced = t.mock.method(host.store, 'durable')
      assert.equal(textOf(await mcp.tools.call('one__write', { text: 'please' })), 'please')
      assert.ok(synced.mock.callCount() > 0, 'what a person decided can be lost')
      assert.equal(asked.length, 1)
      assert.match(asked[0] ?? '', /^\[server one\] May "write" run\?[\s\S]*"text": "please"/)
      assert.equal(host.inbox.open.length, 0)
    })

    it(`a call of a ${shape} caller that was asked nothing is forgotten when it is over`, async () => {
      await using mcp = await ruled.dial('', { name: `${shape}-unasked`, revisions: revision })
      for (let count = 0; count < 20; count += 1) await mcp.tools.call('one__echo', { text: 'x' })
      assert.equal(ruled.host.calls.size, 0)
    })

    it(`a ${shape} caller that is held hears of it as progress, and the result comes with the approval`, async () => {
      const name = `${shape}-waiting`
      await using mcp = await holding.dial('', { name, revisions: revision })
      const reports: { readonly progress: number; readonly message?: string | undefined }[] = []
      const calling = mcp.tools.call('one__write', { text: 'x' }, { onProgress: (report) => reports.push(report) })
      await until(() => reports.length >= 3)
      assert.match(reports[0]?.message ?? '', /^Waits for a person's approval \(question .+\)$/)
      assert.ok(reports.every(({ progress }, at) => progress > (reports[at - 1]?.progress ?? 0) && progress < 0.001))
      const { id } = questionFor(holding, name)
      await holding.host.inbox.answer(id, { choice: 'once', by: 'terminal' }, { isLocal: true })
      assert.equal(textOf(await calling), 'x')
    })

    it(`a ${shape} caller without a person is held, told to call again, and collects the result`, async () => {
      const name = `${shape}-held`
      await using mcp = await hardlyHolding.dial('', { name, revisions: revision })
      const held = await mcp.tools.call('one__write', { text: 'later' })
      assert.equal(held.isError, true)
      assert.match(textOf(held), /waits for a person's approval \(question .+\)/)
      assert.doesNotMatch(textOf(held), /trunkline|inbox/i, 'a caller is told how to approve itself')
      const { id } = questionFor(hardlyHolding, name)
      await hardlyHolding.host.inbox.answer(id, { choice: 'once', by: 'terminal' }, { isLocal: true })
      assert.equal(textOf(await mcp.tools.call('one__write', { text: 'later' })), 'later')
      const again = await mcp.tools.call('one__write', { text: 'later' })
      assert.match(textOf(again), /waits for a person's approval/)
    })
  }

  it('a call is held for as long as its client is known to wait', () => {
    const held = ['claude-desktop', 'claude-code', 'gemini-cli', 'somebody'].map((name) => holdFor(name, 45_000))
    assert.deepEqual(held, [45_000, 285_000, 300_000, 45_000])
  })

  it('a call approved when its caller has gone does not run, until the caller comes for exactly that', async () => {
    using folder = temporaryFolder()
    const file = join(folder.path, 'journal.txt')
    writeFileSync(file, '')
    const spec = programSpec('one', 'journal')
    if (spec.launch.kind !== 'program') throw new Error('It is a program')
    const launch = { ...spec.launch, args: [...spec.launch.args, file] }
    await using running = await runningHost({ servers: [{ ...spec, launch }], ask: { holdMs: 60_000 } })
    const { token } = await running.host.principals.make({ name: 'editor' })
    const http = { headers: { authorization: `Bearer ${token}` } }
    const gone = await connect(new URL(running.host.url), { revisions: revisions.handshake, http })
    const calling = gone.tools.call('one__write', { nonce: 'a' })
    await until(() => running.host.inbox.open.length > 0)
    await Promise.all([assert.rejects(calling, /closed/), gone.close()])
    await until(() => running.host.calls.size === 0)
    const [question] = running.host.inbox.open
    await running.host.inbox.answer(question?.id ?? '', { choice: 'once', by: 'terminal' }, { isLocal: true })
    await using mcp = await connect(new URL(running.host.url), { http })
    assert.equal(textOf(await mcp.tools.call('one__look', { nonce: 'b' })), 'seen')
    assert.equal(readFileSync(file, 'utf8'), '')
    assert.equal(textOf(await mcp.tools.call('one__write', { nonce: 'a' })), 'a')
    assert.equal(readFileSync(file, 'utf8'), 'a\n')
  })

  it('a server that was never seen is waited for only as long as a caller can wait, and then announced', async () => {
    using folder = temporaryFolder()
    const file = join(folder.path, 'starts')
    writeFileSync(file, '')
    const spec = programSpec('slow', 'slow-start')
    if (spec.launch.kind !== 'program') throw new Error('It is a program')
    const launch = { ...spec.launch, env: { ...spec.launch.env, STARTS: file, TOGETHER: '2' } }
    await using running = await runningHost({ servers: [programSpec('one')] })
    const slow = { ...spec, launch }
    await running.host.acceptance.trustBuiltIn(slow)
    await running.host.apply([programSpec('one'), slow])
    await using mcp = await running.dial('')
    const names = async () => (await mcp.tools.list().all()).map(({ name }) => name)
    let changes = 0
    await mcp.watch({ tools: true }, () => (changes += 1))
    const first = await names()
    assert.ok(first.includes('one__echo') && !first.includes('slow__echo'), first.join())
    // now it may go on
    appendFileSync(file, '+')
    await until(() => changes !== 0)
    await until(async () => (await names()).includes('slow__echo'))
  })

  it('an approval for other arguments is of no use, and a refusal says why', async () => {
    const { inbox } = hardlyHolding.host
    const name = 'changing'
    await using mcp = await hardlyHolding.dial('', { name })
    await mcp.tools.call('one__write', { text: 'a' })
    await inbox.answer(questionFor(hardlyHolding, name).id, { choice: 'once', by: 'terminal' }, { isLocal: true })
    assert.match(textOf(await mcp.tools.call('one__write', { text: 'b' })), /waits for a person's approval/)
    const answer = { choice: 'refuse', sentence: 'not today', by: 'terminal' } as const
    await inbox.answer(questionFor(hardlyHolding, name).id, answer, { isLocal: true })
    assert.match(textOf(await mcp.tools.call('one__write', { text: 'b' })), /A person refused this call: not today/)
  })

  it('"for this session" asks once per tool, and not again', async () => {
    let asked = 0
    await using mcp = await usual.dial('', {
      name: 'asked-once',
      isApprover: true,
      elicitation: () => {
        asked += 1
        return { action: 'accept', content: { decision: 'session' } }
      },
    })
    for (const text of ['a', 'b', 'c']) assert.equal(textOf(await mcp.tools.call('one__write', { text })), text)
    assert.equal(asked, 1)
  })

  it('edited arguments run, and the caller hears of it', async () => {
    await using running = await runningHost({ servers: [programSpec('one')] })
    running.host.inbox.addDoor({
      name: 'test',
      isLocal: true,
      present: ({ id }) => {
        const answer = { choice: 'once', content: { text: 'edited' }, by: 'test' } as const
        void running.host.inbox.answer(id, answer, { isLocal: true })
      },
      withdraw() {},
    })
    await using mcp = await running.dial('')
    assert.match(
      textOf(await mcp.tools.call('one__write', { text: 'x' })),
      /A person changed the arguments[\s\S]*edited$/,
    )
  })

  it('without a person to ask, the refusal names the rule that would allow it', async () => {
    await using running = await runningHost({ servers: [programSpec('one')], unattended: true })
    await using mcp = await running.dial('')
    assert.match(textOf(await mcp.tools.call('one__write', { text: 'x' })), /Add to "allow": "one:write"/)
  })

  it('without any server all features are declared; a request without a token is refused, and no sign-in is offered', async () => {
    await using running = await runningHost({ servers: [] })
    const response = await fetch(running.host.url, {
      method: 'POST',
      body: '{}',
      headers: { 'content-type': 'application/json' },
    })
    assert.equal(response.status, 401)
    assert.equal(response.headers.get('www-authenticate'), 'Bearer')
    assert.match(await response.text(), /trunkline install/)
    await using mcp = await running.dial()
    const declared = { listChanged: true }
    const { tools, prompts, resources, completions, logging } = mcp.capabilities
    assert.deepEqual([tools, prompts, resources], [declared, declared, { ...declared, subscribe: true }])
    assert.deepEqual([completions, logging], [{}, {}], 'a feature is declared only when a server has it')
    for (const path of ['oauth-protected-resource', 'oauth-protected-resource/mcp', 'oauth-authorization-server']) {
      const wellKnown = await fetch(new URL(`/.well-known/${path}`, running.host.url))
      assert.equal(wellKnown.status, 404)
      assert.match(await wellKnown.text(), /trunkline install/)
    }
    await assert.rejects(connect(new URL(running.host.url)), /401|token/i)
  })

  it('a server that cannot start answers with the cause, and the others are not held up', async () => {
    const broken = programSpec('broken', 'upstream', {
      launch: { kind: 'program', command: process.execPath, args: ['-e', 'process.exit(7)'], cwd: '/', env: {} },
    })
    await using running = await runningHost({ servers: [programSpec('one')], rules: [allow('*:*')] })
    await running.host.apply([programSpec('one'), broken])
    await using mcp = await running.dial('')
    assert.equal(textOf(await mcp.tools.call('one__write', { text: 'fine' })), 'fine')
    await assert.rejects(running.host.accept('broken'), /exited with code 7/)
  })
})

/** A server in this process that marks an argument as a header, has a view, and gives answers that its schema excludes. */
async function regional() {
  const seen: Fields[] = []
  const input = {
    type: 'object',
    properties: { region: { type: 'string', 'x-mcp-header': 'Region' } },
    required: ['region'],
  } as const
  const output = z.object({ count: z.number() })
  const definition = server({ name: 'near', version: '1.0.0', instructions: 'Regions are north and south' })
  definition.tool('write_to', { input, output }, () => ({ count: 1 }))
  let recorded = (): readonly string[] => []
  definition.use((next) => async (request) => {
    const { method, params, incoming } = request
    const header = incoming.sender?.headers?.get('mcp-param-region')
    if (method === 'tools/call') seen.push({ arguments: params.arguments, header, recorded: recorded() })
    const result = (await next(request)) as Fields
    if (method === 'tools/call') return { ...result, structuredContent: { count: 'one' } }
    if (method !== 'tools/list') return result
    return { ...result, tools: (result.tools as Fields[]).map((tool) => ({ ...tool, _meta: { ui: view } })) }
  })
  const serving = await serveHttp(definition, { port: 0 })
  const launch = { kind: 'remote', url: serving.url, headers: {} } as const
  const running = await runningHost({ servers: [{ name: 'near', launch }] })
  const { store } = running.host
  recorded = () => queryLedger(store, { target: 'write_to' }).map(({ line }) => line.kind)
  return {
    running,
    seen,
    async [Symbol.asyncDispose]() {
      await running[Symbol.asyncDispose]()
      await serving.close()
    },
  }
}

const view = { resourceUri: 'ui://near/map' }

describe('between a caller and a server', () => {
  it('an edited call leaves with headers of its own, after it was recorded, and its result is not judged', async () => {
    await using at = await regional()
    const { inbox } = at.running.host
    const answer = { choice: 'once', content: { region: 'south' }, by: 'test' } as const
    const present = ({ id }: { readonly id: string }) => void inbox.answer(id, answer, { isLocal: true })
    inbox.addDoor({ name: 'test', isLocal: true, present, withdraw() {} })
    await using mcp = await at.running.dial()
    await mcp.tools.list().all()
    const called = await mcp.request('tools/call', { name: 'near__write_to', arguments: { region: 'north' } })
    assert.deepEqual(at.seen, [{ arguments: { region: 'south' }, header: 'south', recorded: ['decided', 'began'] }])
    assert.deepEqual(called.structuredContent, { count: 'one' })
  })

  it('instructions and views of a server are its own at its address; together each is named, without views', async () => {
    await using at = await regional()
    const metaOf = async (mcp: Client) => (await mcp.tools.list().all())[0]?._meta
    for (const revision of Object.values(revisions)) {
      await using own = await at.running.dial('/server/near', { revisions: revision, name: 'one' })
      await using all = await at.running.dial('', { revisions: revision, name: 'two' })
      assert.equal(own.instructions, 'Regions are north and south')
      assert.equal(all.instructions, '[server near]\nRegions are north and south')
      assert.deepEqual(await metaOf(own), { ui: view })
      assert.equal(await metaOf(all), undefined)
    }
  })
})
