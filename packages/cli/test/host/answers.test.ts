import assert from 'node:assert/strict'
import { readFileSync } from 'node:fs'
import { after, before, describe, it } from 'node:test'
import { connect } from '@trunkline/mcp'
import { inTerminal } from '../tmux.ts'
import { type HostHome, hostHome } from './host-home.ts'
import { assertInHostDocs } from './in-host-docs.ts'

/** Reads a folder through a host; this process is a caller from then on. */
async function used(at: HostHome, ready: { readonly [key: string]: string }): Promise<void> {
  await at.run('restart', 'files')
  const token = readFileSync(ready.tokenFile ?? '', 'utf8').trim()
  const http = { headers: { authorization: `Bearer ${token}` } }
  await using mcp = await connect(new URL(ready.mcp ?? ''), { http })
  await mcp.tools.call('files__list_directory', { path: at.project })
}

describe('policy, audit, config, clients, trust and forget', () => {
  let at: HostHome
  let ready: { [key: string]: string }
  before(async () => {
    at = hostHome()
    at.configure({
      host: { port: 0 },
      pipe: { maxSteps: 0 },
      policy: { deny: ['files:read_file{path~**/secret/**}'] },
    })
    ready = (await at.up()).ready
  })
  after(() => at[Symbol.asyncDispose]())

  it('only a person lets in a client that was revoked, or one whose answers count', async () => {
    await at.run('clients', 'add', 'visitor')
    await at.run('clients', 'revoke', 'visitor')
    assert.match((await at.run('clients')).stdout, /\nRevoked: visitor\n$/)
    const clients = async () => {
      const { items, revoked } = JSON.parse((await at.run('clients', '--json')).stdout)
      const named = items.filter(({ name }: { name: string }) => name !== 'command')
      return [named.map(({ name, isApprover }: { name: string; isApprover: boolean }) => [name, isApprover]), revoked]
    }
    for (const args of [['visitor'], ['other', '--approver']]) {
      const { exit, stdout, stderr } = await at.run('clients', 'add', ...args)
      assert.deepEqual([exit, stdout], [5, ''])
      assert.match(stderr, /Only a person can decide this: run it in a terminal/)
    }
    assert.deepEqual(await clients(), [[], ['visitor']])
    const decided = async (args: readonly string[], question: RegExp, key: string, shown: RegExp) => {
      await using terminal = await inTerminal(['clients', 'add', ...args], { HOME: at.home })
      await terminal.until(question)
      await terminal.answer(key)
      await terminal.until(shown)
    }
    await decided(
      ['visitor'],
      /"visitor" was revoked\. Let it in again\? \[y\/n\]/,
      'n',
      /"visitor" is not added[\s\S]*exit:5/,
    )
    assert.deepEqual(await clients(), [[], ['visitor']])
    await decided(['visitor', '--approver'], /Answers given in "visitor" will count as yours/, 'y', /tl_[\s\S]*exit:0/)
    assert.deepEqual(await clients(), [[['visitor', true]], []])
  })

  it('clients gives a token once and ends it', async () => {
    const added = await at.run('clients', 'add', 'agent')
    const token = added.stdout.trim()
    assert.match(token, /^tl_/)
    // the entry stands apart from the token, which scripts read
    const entry = { type: 'http', url: ready.mcp, headers: { Authorization: `Bearer ${token}` } }
    const pasted = added.stderr.slice(added.stderr.indexOf('{'), added.stderr.lastIndexOf('}') + 1)
    assert.deepEqual(JSON.parse(pasted), { mcpServers: { trunkline: entry } })
    assert.match(added.stderr, /needs no token; its entry runs: trunkline stdio --client agent\n$/)
    assertInHostDocs(added.stdout + added.stderr, [
      [token, 'tl_…'],
      [/127\.0\.0\.1:\d+/g, '127.0.0.1:28019'],
      [/--client agent$/gm, '--client my-agent'],
    ])
    // before this process is a caller, which may add none
    const json = async (...args: readonly string[]) => JSON.parse((await at.run('clients', ...args, '--json')).stdout)
    const helper = await json('add', 'helper')
    assert.match(helper.token, /^tl_/)
    assert.equal(helper.entry.trunkline.headers.Authorization, `Bearer ${helper.token}`)
    const nothing = async (headers: { readonly [name: string]: string }) =>
      (await fetch(`${ready.mcp}/server/nope`, { headers })).text()
    assert.match(await nothing({}), /^There is no server "nope" at this host\. Connect this client with/)
    assert.match(
      await nothing({ authorization: `Bearer ${token}` }),
      /^There is no server "nope" at this host\. There are \/mcp/,
    )
    const http = { headers: { authorization: `Bearer ${token}` } }
    await using mcp = await connect(new URL(ready.mcp ?? ''), { http })
    await mcp.tools.list().all()
    assert.match((await at.run('clients')).stdout, /agent +(?:\d+ s|less than a second) ago +no/)
    assert.equal((await at.run('clients', 'revoke', 'agent')).exit, 0)
    await assert.rejects(connect(new URL(ready.mcp ?? ''), { http }), /401/)
    assert.match((await at.run('clients')).stdout, /helper +never +no/)
    assert.deepEqual(await json('revoke', 'helper'), { revoked: 'helper' })
    assert.match(
      (await at.run('clients', 'add')).stderr,
      /Cannot add a client: none is named\nWrite: trunkline clients add NAME/,
    )
  })

  it('policy explain tells verdict, reason and the smallest change', async () => {
    await used(at, ready)
    assert.match((await at.run('policy')).stdout, /deny +files:read_file\{.* user .*trunkline\.json:\d+/)
    const { stdout } = await at.run('policy', 'explain', 'files:read_file', 'path=/a/secret/b')
    assert.match(stdout, /^deny: the rule deny[\s\S]*Remove or narrow the rule at/)
    const { effect } = JSON.parse((await at.run('policy', 'explain', '--json', 'files:read_file', 'path=/a')).stdout)
    assert.equal(effect, 'allow')
    assert.match((await at.run('policy', 'explain', 'files')).stderr, /write it as SERVER:TOOL/)
    assert.match((await at.run('policy', 'explain', 'files:none')).stderr, /There is no tool "none"/)
  })

  it('taint lists what was read, and only a person ends it', async () => {
    assert.match(
      (await at.run('taint')).stdout,
      /No client has read anything that counts \(policy\.taint is "default"\)/,
    )
    assert.match((await at.run('taint', 'forget')).stderr, /Only a person can decide this/)
    assert.match((await at.run('taint', 'all')).stderr, /Cannot do "taint all"/)
  })

  it('audit tells who did what, and that the record is unchanged', async () => {
    assert.match((await at.run('audit', '--server', 'files')).stdout, /ended files:list_directory for command: ok, /)
    const [line] = (await at.run('audit', '--json', '--outcome', 'ok')).stdout.trim().split('\n')
    assert.equal(JSON.parse(line ?? '').line.principal, 'command')
    assert.match((await at.run('audit', 'verify')).stdout, /every one follows from the one before/)
    assert.equal((await at.run('audit', 'everything')).exit, 1)
    assert.match((await at.run('forget', 'files')).stdout, /Deleted: [1-9]\d* records?/)
    assert.match((await at.run('audit', 'verify')).stdout, /every one follows from the one before/)
  })

  it('servers of the host are called by their names, through the host', async () => {
    assert.match((await at.run('tools', 'files')).stdout, /list_directory/)
    assert.equal((await at.run('call', 'files', 'list_directory', `path=${at.project}`)).exit, 0)
    assert.match((await at.run('audit', '--client', 'command')).stdout, /files:list_directory for command: ok/)
    assert.match((await at.run('tools', 'none')).stderr, /no server of that name is configured/)
  })

  it('config explain tells where a value came from, and what is wrong with one that does not count', async () => {
    assert.match((await at.run('config', 'explain', 'host.port')).stdout, /host\.port = 0\n.*trunkline\.json:3/)
    const { stdout } = await at.run('config', 'explain', 'pipe.maxSteps')
    assert.match(stdout, /pipe\.maxSteps = 100 .*\n {2}wrong: .*trunkline\.json:6: pipe\.maxSteps is 0; write a whole/)
    assert.match((await at.run('config')).stderr, /Write: trunkline config explain KEY/)
  })

  it('trust needs a person, a server and a time', async () => {
    assert.equal((await at.run('trust', 'files', '30m')).exit, 5)
    assert.match((await at.run('trust', 'files', '2d')).stderr, /a time up to 8h/)
  })
})
