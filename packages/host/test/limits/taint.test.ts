import assert from 'node:assert/strict'
import { after, before, describe, it } from 'node:test'
import { type Client, connect } from '@trunkline/mcp'
import { Host } from '../../src/assembly/host.ts'
import { explain } from '../../src/policy/explain.ts'
import { parseRule } from '../../src/policy/parse-rule.ts'
import { programSpec, type RunningHost, runningHost, textOf } from '../gateway/running-host.ts'
import { temporaryFolder } from '../temporary-folder.ts'

const marks: { readonly [server: string]: 'private' | 'untrusted' } = {
  vault: 'private',
  diary: 'private',
  web: 'untrusted',
}
const servers = ['vault', 'web', 'mail'].map((name) => programSpec(name))
const allow = parseRule('allow', '*:*', { layer: 'user', file: 'trunkline.json', line: 1 })
const dataOf = (server: string) => marks[server]
const options = { servers, rules: [allow], dataOf, ask: { holdMs: 1 } }

const read = async (mcp: Client, server: string) =>
  assert.equal(textOf(await mcp.tools.call(`${server}__echo`, { text: server })), server)
const send = async (mcp: Client, server = 'mail', text = 'x') =>
  textOf(await mcp.tools.call(`${server}__write`, { text }))

async function answer({ host }: RunningHost, client: string, choice: 'once' | 'refuse' = 'once') {
  const question = host.inbox.open.find(({ principal }) => principal === client)
  assert.ok(question)
  await host.inbox.answer(question.id, { choice, by: 'terminal' }, { isLocal: true })
  return question
}

describe('taint', () => {
  // each test has a client of its own
  let running: RunningHost
  before(async () => {
    const maxResultBytes = () => 1_024
    running = await runningHost({ ...options, servers: [...servers, programSpec('diary')], maxResultBytes })
  })
  after(() => running?.[Symbol.asyncDispose]())

  it('asks before data can leave only when private and untrusted were both read, and names both', async () => {
    await using mcp = await running.dial('')
    await read(mcp, 'vault')
    assert.equal(await send(mcp), 'x')
    await read(mcp, 'web')
    assert.match(await send(mcp), /waits for a person's approval/)
    const { why, target } = await answer(running, 'editor')
    assert.equal(target, 'write')
    assert.match(why, /"editor" has read private data of "vault", and what others may have written, from "web"/)
    assert.equal(await send(mcp), 'x')
  })

  it('counts data read in one project in every other one, whichever its caller names', async () => {
    const { token } = await running.host.principals.make({ name: 'traveller' })
    const dialIn = (project: string) => {
      const headers = { authorization: `Bearer ${token}`, 'trunkline-project': encodeURIComponent(project) }
      return connect(new URL(running.host.url), { http: { headers } })
    }
    await using first = await dialIn('/work/one')
    await using second = await dialIn('/work/two')
    await using third = await dialIn('/work/three')
    await read(first, 'vault')
    await read(second, 'web')
    assert.match(await send(third), /waits for a person's approval/)
  })

  it('asks once per source and target: other arguments pass, another target asks, a refusal lets nothing pass', async () => {
    const name = 'writer'
    await using mcp = await running.dial('', { name })
    await read(mcp, 'vault')
    await read(mcp, 'web')
    await send(mcp)
    await answer(running, name)
    assert.equal(await send(mcp), 'x')
    assert.equal(await send(mcp, 'mail', 'more'), 'more')
    assert.match(await send(mcp, 'vault'), /waits/)
    await answer(running, name, 'refuse')
    assert.match(await send(mcp, 'vault'), /A person refused/)
    assert.match(await send(mcp, 'vault', 'again'), /waits/)
    // the approval does not cover data read since
    await read(mcp, 'diary')
    assert.match(await send(mcp, 'mail', 'the diary'), /waits/)
    assert.match(running.host.inbox.open.at(-1)?.why ?? '', /private data of "vault", "diary"/)
  })

  it('reads go on, except those whose arguments reach an untrusted server', async () => {
    await using mcp = await running.dial('', { name: 'reader' })
    for (const server of ['vault', 'web']) await read(mcp, server)
    for (const server of ['vault', 'mail']) await read(mcp, server)
    assert.match(textOf(await mcp.tools.call('web__echo', { text: 'secret' })), /waits for a person's approval/)
  })

  it('an answer for the session that was given before does not count', async () => {
    await using running = await runningHost({ ...options, rules: [] })
    let asked = 0
    await using mcp = await running.dial('', {
      isApprover: true,
      elicitation: () => {
        asked += 1
        return { action: 'accept', content: { decision: 'session' } }
      },
    })
    for (const text of ['a', 'b']) assert.equal(await send(mcp, 'mail', text), text)
    assert.equal(asked, 1)
    for (const server of ['vault', 'web']) await read(mcp, server)
    for (const text of ['c', 'd']) assert.equal(await send(mcp, 'mail', text), text)
    assert.equal(asked, 2)
  })

  it('holds after reconnecting, for this principal only, until a person ends it', async () => {
    const { token } = await running.host.principals.make({ name: 'agent' })
    const http = { headers: { authorization: `Bearer ${token}` } }
    const dial = () => connect(new URL(running.host.url), { http })
    {
      await using first = await dial()
      for (const server of ['vault', 'web']) await read(first, server)
    }
    await using again = await dial()
    assert.match(await send(again), /waits/)
    await using other = await running.dial('', { name: 'other' })
    assert.equal(await send(other), 'x')
    assert.equal(
      await running.host.taints.forget(running.host.principals.all().find(({ name }) => name === 'agent')?.id),
      2,
    )
    assert.equal(await send(again), 'x')
  })

  it('holds after a restart of the host, and ends by time', async (t) => {
    using folder = temporaryFolder()
    let token = ''
    const started = async () => {
      const host = new Host({ folder: folder.path, ...options })
      await host.start()
      return host
    }
    const withClient = async (host: Host, use: (mcp: Client) => Promise<void>) => {
      await using mcp = await connect(new URL(host.url), { http: { headers: { authorization: `Bearer ${token}` } } })
      await use(mcp)
    }
    {
      await using host = await started()
      for (const { name } of servers) await host.accept(name)
      token = (await host.principals.make({ name: 'editor' })).token
      await withClient(host, async (mcp) => {
        for (const server of ['vault', 'web']) await read(mcp, server)
      })
    }
    await using host = await started()
    await withClient(host, async (mcp) => assert.match(await send(mcp), /waits/))
    t.mock.timers.enable({ apis: ['Date'], now: Date.now() + 9 * 3_600_000 })
    await withClient(host, async (mcp) => assert.equal(await send(mcp, 'mail', 'later'), 'later'))
  })

  it('marks results of an untrusted server, and leaves their content as it is; those of others have no mark', async () => {
    await using mcp = await running.dial('', { name: 'marked' })
    const web = await mcp.tools.call('web__echo', { text: 'page' })
    assert.deepEqual(web.content, [{ type: 'text', text: 'page' }])
    assert.equal(web._meta?.['dev.trunkline/untrusted'], 'web')
    const vault = await mcp.tools.call('vault__echo', { text: 'page' })
    assert.equal(vault._meta?.['dev.trunkline/untrusted'], undefined)
  })

  it('a result kept aside is as untrusted as when it came', async () => {
    await using mcp = await running.dial('', { name: 'keeper' })
    const large = await mcp.tools.call('web__echo', { text: 'x'.repeat(5_000) })
    assert.equal(large._meta?.['dev.trunkline/untrusted'], 'web')
    const kept = large._meta?.['dev.trunkline/large-result'] as { readonly id: string } | undefined
    await running.host.taints.forget(running.host.principals.all().find(({ name }) => name === 'keeper')?.id)
    const lines = await mcp.tools.call('read_result', { id: kept?.id })
    assert.equal(lines._meta?.['dev.trunkline/untrusted'], 'web')
    await read(mcp, 'vault')
    assert.match(await send(mcp), /waits/)
  })

  it('off asks nothing; strict asks after any server that is not private, also without private data', async () => {
    const { taints } = running.host
    using restored = new DisposableStack()
    restored.adopt(taints.mode, (mode) => {
      taints.mode = mode
    })
    await using mcp = await running.dial('', { name: 'moded' })
    taints.mode = 'off'
    for (const server of ['vault', 'web']) await read(mcp, server)
    assert.equal(await send(mcp), 'x')
    taints.mode = 'strict'
    await read(mcp, 'vault')
    assert.equal(await send(mcp), 'x')
    await read(mcp, 'mail')
    assert.equal(await send(mcp), 'x')
    assert.match(await send(mcp, 'vault'), /waits/)
  })

  it('observe asks nothing, and denied calls stay denied', async () => {
    const deny = parseRule('deny', 'vault:write', { layer: 'user', file: 'trunkline.json', line: 2 })
    await using running = await runningHost({ ...options, rules: [allow, deny], mode: 'observe' })
    await using mcp = await running.dial('')
    for (const server of ['vault', 'web']) await read(mcp, server)
    assert.equal(await send(mcp), 'x')
    assert.match(await send(mcp, 'vault'), /The policy denies/)
  })

  it('policy explain and an unattended refusal name it', async () => {
    await using running = await runningHost({ ...options, unattended: true })
    await using mcp = await running.dial('')
    for (const server of ['vault', 'web']) await read(mcp, server)
    assert.match(await send(mcp), /Nobody can be asked here, and "editor" has read private data of "vault"/)
    const { host } = running
    const principal = host.principals.all().find(({ name }) => name === 'editor')
    assert.ok(principal)
    const act = { ...sample, principal }
    const { verdict, change } = explain(host.policy, act, host.taints.of(act))
    assert.equal(verdict.effect, 'ask')
    assert.match(verdict.why, /policy\.taint is "default"/)
    assert.match(change, /set "policy\.taint" to "off"/)
  })
})

const sample = {
  id: 'a',
  kind: 'call',
  project: undefined,
  server: 'mail',
  serverKey: 'mail',
  target: 'write',
  arguments: {},
  definition: undefined,
  class: 'writes',
  effects: [],
  trace: '',
  at: 0,
} as const
