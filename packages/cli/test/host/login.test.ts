import assert from 'node:assert/strict'
import { readFileSync } from 'node:fs'
import { after, before, describe, it } from 'node:test'
import { connect } from '@trunkline/mcp'
import { lacking } from '../../../../tools/lib/needs.ts'
import { protectedServer } from '../../../host/test/sign-in/protected-server.ts'
import { hasProgram } from '../has-program.ts'
import { inTerminal } from '../tmux.ts'
import { type HostHome, hostHome, upstreamEntry } from './host-home.ts'

const limit = { timeout: 120_000, skip: lacking('tmux', hasProgram('tmux')) }
const open = (at: HostHome, ...args: readonly string[]) => inTerminal(args, { HOME: at.home, TRUNKLINE_HOST_PORT: '0' })

/** Accepts a server in a terminal, and tells what was shown. */
async function accept(at: HostHome, name: string): Promise<string> {
  await using terminal = await open(at, 'accept', name)
  await terminal.until(/Accept it\? \[y\/n\]/)
  await terminal.answer('y')
  return await terminal.until(/exit:0/)
}

describe('login and logout', () => {
  // in this order: the second one accepts a server that runs elsewhere
  const at = hostHome()
  let vault: Awaited<ReturnType<typeof protectedServer>>
  let ready: Awaited<ReturnType<typeof at.up>>['ready']
  before(async () => {
    vault = await protectedServer()
    at.configure({ mcpServers: { vault: { url: vault.url }, one: upstreamEntry }, policy: { allow: ['vault:*'] } })
    ready = (await at.up()).ready
  })
  after(async () => {
    await at[Symbol.asyncDispose]()
    await vault[Symbol.asyncDispose]()
  })

  it('says what is wrong with a name', async () => {
    assert.match((await at.run('login')).stderr, /no server is named[\s\S]*trunkline login SERVER, or --all/)
    for (const verb of ['login', 'logout', 'forget']) {
      const { exit, stderr } = await at.run(verb, 'noe')
      assert.equal(exit, 1, verb)
      assert.match(stderr, /There is no server "noe"; did you mean "one"\?/)
    }
    assert.match((await at.run('login', 'one')).stderr, /it was not accepted yet/)
    assert.match((await at.run('login', '--all')).stderr, /No accepted server runs elsewhere/)
    assert.match((await at.run('logout')).stderr, /no server is named/)
  })

  it('login shows the page and its host, and waits until the sign-in came back from it', limit, async () => {
    const issuer = new URL(vault.issuer)
    assert.ok((await accept(at, 'vault')).includes(`Sign in at ${issuer.host} next: trunkline login vault`))
    assert.match((await at.run('status', 'vault')).stdout, /needs you[\s\S]*Next: trunkline login vault/)

    const without = await at.run('login', 'vault')
    assert.equal(without.exit, 6, without.stderr)
    assert.ok(without.stderr.includes(vault.issuer), without.stderr)
    assert.equal((await at.run('login', '--all')).exit, 6)

    await using terminal = await open(at, 'login', '--no-browser', '--all')
    const shown = await terminal.until(/Sign in to "vault" at [\s\S]*code_challenge=\S+/)
    assert.ok(shown.includes(`Sign in to "vault" at ${issuer.host}: `))
    const [page = ''] = /http:\/\/\S+/.exec(shown.slice(shown.indexOf('Sign in to'))) ?? []
    assert.equal((await fetch(page)).status, 200)
    await terminal.until(/Server "vault" can be used[\s\S]*exit:0/)

    const token = readFileSync(ready.tokenFile ?? '', 'utf8').trim()
    await using mcp = await connect(new URL(ready.mcp ?? ''), {
      http: { headers: { authorization: `Bearer ${token}` } },
    })
    const { content } = await mcp.tools.call('vault__read', { key: 'a' })
    assert.match(JSON.stringify(content), /value of a/)

    assert.equal((await at.run('login', 'vault')).exit, 0)
    assert.match((await at.run('logout', 'vault')).stdout, /Signed out of "vault"/)
    assert.equal((await at.run('login', 'vault')).exit, 6)
  })
})
