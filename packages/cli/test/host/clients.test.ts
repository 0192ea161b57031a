import assert from 'node:assert/strict'
import { execFile } from 'node:child_process'
import { once } from 'node:events'
import { mkdirSync, readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { after, before, describe, it } from 'node:test'
import { pathToFileURL } from 'node:url'
import { promisify } from 'node:util'
import { apiClient } from '@trunkline/host/api'
import { type Client, connect } from '@trunkline/mcp'
import { spawnChannel } from '@trunkline/mcp/stdio'
import { lacking } from '../../../../tools/lib/needs.ts'
import { programFile } from '../../../../tools/lib/program-file.ts'
import { until } from '../../../../tools/lib/until.ts'
import { commandPath as command } from '../command-path.ts'
import { acceptServer, apiOf } from './host-api.ts'
import { type HostHome, hostHome, upstreamEntry } from './host-home.ts'

const run = promisify(execFile)
const other = programFile(new URL('../fixtures/other-program.ts', import.meta.url))
const skip = lacking('linux', process.platform === 'linux')

// one host for all: each test has clients with names of its own; with hooks outside of a suite this file has a process of
// its own, which is the program that starts them
let at: HostHome
before(async () => {
  at = hostHome()
  const readers = { vault: { ...upstreamEntry, data: 'private' }, web: { ...upstreamEntry, data: 'untrusted' } }
  at.configure({ mcpServers: { one: upstreamEntry, ...readers, mail: upstreamEntry }, policy: { allow: ['*:*'] } })
  await at.up()
  await acceptServer(apiOf(at), 'one')
})
after(() => at[Symbol.asyncDispose]())

const echo = async (mcp: Client, text: string) => {
  const { isError, content } = await mcp.tools.call('one__echo', { text })
  return `${isError ? 'error: ' : ''}${content.map((block) => ('text' in block ? block.text : '')).join('')}`
}

/** Connects as a client that the test starts. */
function dial(name: string): Promise<Client> {
  const { env, project } = at
  const variables = Object.fromEntries(Object.entries(env).flatMap(([key, value]) => (value ? [[key, value]] : [])))
  const target = { command: process.execPath, args: [command, 'stdio', '--client', name], cwd: project, env: variables }
  return connect(() => spawnChannel(target))
}

/** Calls as a client that another program starts. */
async function callFromOther(name: string): Promise<string> {
  const { env, project } = at
  const { stdout } = await run(process.execPath, [other, command, name, 'one__echo', 'hello'], { env, cwd: project })
  const { isError, content } = JSON.parse(stdout)
  return `${isError ? 'error: ' : ''}${content[0].text}`
}

async function clientQuestion(name: string) {
  const { items } = await apiOf(at).call('inbox')
  return (
    items.find(({ kind, target }) => kind === 'client' && target === name) ?? assert.fail(`no question about "${name}"`)
  )
}

describe('a client that was never added', { skip }, () => {
  it('sees lists, may call nothing, and is a question that shows what started it; once accepted it goes on', async () => {
    await using mcp = await dial('fresh')
    assert.ok((await mcp.tools.list().all()).some(({ name }) => name === 'one__echo'))
    assert.match(
      await echo(mcp, 'hello'),
      /^error: .*The client "fresh", started by ".*clients\.test\.ts", was not accepted yet; accept it with "trunkline inbox"/,
    )
    const { id, target, detail } = await clientQuestion('fresh')
    assert.equal(target, 'fresh')
    assert.match(String(detail.program), /clients\.test\.ts$/)
    assert.equal(detail.folder, process.cwd())
    await apiOf(at).call('answer', { id, choice: 'once', door: 'terminal' })
    // the same connection: its bridge connects again
    await until(async () => (await echo(mcp, 'hello').catch(() => '')) === 'hello', 'the answer to the accepted client')
    const { items } = JSON.parse((await at.run('clients', '--json')).stdout)
    const found = items.find(({ name }: { name: string }) => name === 'fresh')
    assert.match(found.programs[0], /clients\.test\.ts$/)
    await using again = await dial('fresh')
    assert.equal(await echo(again, 'again'), 'again')
  })

  it('is told that it was refused, and how a person lets it in', async () => {
    await using first = await dial('guest')
    assert.match(await echo(first, 'x'), /was not accepted yet/)
    await apiOf(at).call('answer', { id: (await clientQuestion('guest')).id, choice: 'refuse', door: 'terminal' })
    assert.ok(await first.whenClosed)
    const child = at.start('stdio', '--client', 'guest')
    let stderr = ''
    child.stderr?.on('data', (data) => (stderr += data))
    // the test starts this one too, so it is the program that was refused
    assert.equal((await once(child, 'close'))[0], 5)
    assert.match(
      stderr,
      /"guest", started by ".*", was refused; a person lets it in with "trunkline clients add guest"/,
    )
    await apiOf(at).call('addClient', { name: 'guest' })
    await using added = await dial('guest')
    assert.equal(await echo(added, 'hello'), 'hello')
  })

  it('is refused with the fix if the terminal is not interactive', async () => {
    await using alone = hostHome()
    await alone.up('--unattended')
    const child = alone.start('stdio', '--client', 'fresh')
    let stderr = ''
    child.stderr?.on('data', (data) => (stderr += data))
    assert.equal((await once(child, 'close'))[0], 5)
    assert.match(stderr, /was never accepted, and nobody can be asked here; .*"trunkline clients add fresh"/)
  })
})

describe('the name of a client', { skip }, () => {
  it("is bound to the program that first came under it; another program under an approver's name is a question", async () => {
    await apiOf(at).call('addClient', { name: 'mine', isApprover: true })
    await using mcp = await dial('mine')
    assert.equal(await echo(mcp, 'hello'), 'hello')
    assert.match(
      await callFromOther('mine'),
      /^error: .*"mine", started by ".*other-program\.(?:ts|mjs)", was not accepted/,
    )
    const { id, why, detail } = await clientQuestion('mine')
    assert.match(why, /another program than before comes under this name/)
    assert.deepEqual([detail.isApprover, String(detail.before).endsWith('clients.test.ts')], [true, true])
    assert.equal(await echo(mcp, 'still'), 'still')
    await apiOf(at).call('answer', { id, choice: 'once', door: 'terminal' })
    assert.equal(await callFromOther('mine'), 'hello')
    assert.equal(await echo(mcp, 'both'), 'both')
  })

  it('does not count for a script of the same name elsewhere, nor for one that another script only loads', async () => {
    const folders = ['mine', 'evil'].map((name) => join(at.project, name))
    for (const folder of folders) {
      mkdirSync(folder)
      writeFileSync(join(folder, 'agent.mjs'), `await import(${JSON.stringify(pathToFileURL(other).href)})`)
    }
    const [mine = '', evil = ''] = folders
    const words = [command, 'agent', 'one__echo', 'hello']
    const called = async (cwd: string, ...script: readonly string[]): Promise<string> => {
      const { stdout } = await run(process.execPath, [...script, ...words], { env: at.env, cwd })
      return JSON.parse(stdout).content[0].text
    }
    await apiOf(at).call('addClient', { name: 'agent' })
    assert.equal(await called(mine, 'agent.mjs'), 'hello')
    assert.equal(await called(evil, join(mine, 'agent.mjs')), 'hello')
    assert.match(await called(evil, 'agent.mjs'), /evil\/agent\.mjs", was not accepted yet/)
    const loaded = ['--import', join(mine, 'agent.mjs'), join(evil, 'agent.mjs')]
    assert.match(await called(mine, ...loaded), /was not accepted yet/)
  })

  it('is not enough where a token was the identity until now', async () => {
    const { token } = await apiOf(at).call('addClient', { name: 'holder' })
    const { mcp: url } = await apiOf(at).call('status')
    await using over = await connect(new URL(url), { http: { headers: { authorization: `Bearer ${token}` } } })
    assert.equal(await echo(over, 'hello'), 'hello')
    await using mcp = await dial('holder')
    assert.match(await echo(mcp, 'x'), /was not accepted yet/)
    const own = at.start('stdio', '--client', 'command')
    let stderr = ''
    own.stderr?.on('data', (data) => (stderr += data))
    await once(own, 'close')
    assert.match(stderr, /Cannot name a client "command": a part of the host has this name/)
  })
})

it('a client that a process of another one starts under a fresh name inherits what that one has read', {
  skip,
}, async () => {
  const api = apiOf(at)
  for (const server of ['vault', 'web', 'mail']) await acceptServer(api, server)
  for (const name of ['reader', 'heir']) await api.call('addClient', { name })
  await using reader = await dial('reader')
  for (const server of ['vault', 'web']) await reader.tools.call(`${server}__echo`, { text: 'x' })
  await using heir = await dial('heir')
  const calling = heir.tools.call('mail__write', { text: 'x' })
  const find = async () => (await api.call('inbox')).items.find(({ kind }) => kind === 'call')
  await until(async () => (await find()) !== undefined, 'the question about the call')
  const question = (await find()) ?? assert.fail('the question is gone')
  assert.equal(question.principal, 'heir')
  assert.match(question.why, /"heir" has read private data of "vault", and what others may have written, from "web"/)
  await api.call('answer', { id: question.id, choice: 'once', door: 'terminal' })
  assert.notEqual((await calling).isError, true)
})

it('the secret of connections of lines does not open the API, nor the other way round', async () => {
  const state = join(at.home, '.local/state/trunkline')
  const [lines, api] = ['lines.json', 'running.json'].map((file) => JSON.parse(readFileSync(join(state, file), 'utf8')))
  assert.notEqual(lines.token, api.token)
  await assert.rejects(apiClient(lines).call('status'), { status: 401 })
  const upgrade = { connection: 'Upgrade', upgrade: 'mcp-lines', authorization: `Bearer ${api.token}` }
  const { request } = await import('node:http')
  const sent = request(new URL('/mcp', api.url), { headers: upgrade }).end()
  const [answer] = await once(sent, 'response')
  assert.equal(answer.statusCode, 401)
})
