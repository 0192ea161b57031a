import assert from 'node:assert/strict'
import { once } from 'node:events'
import { mkdirSync, readFileSync, realpathSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { after, before, describe, it } from 'node:test'
import { pathToFileURL } from 'node:url'
import { type Client, connect } from '@trunkline/mcp'
import { spawnChannel } from '@trunkline/mcp/stdio'
import { nodePath } from '../../../../tools/lib/node-under-test.ts'
import { programFile } from '../../../../tools/lib/program-file.ts'
import { until } from '../../../../tools/lib/until.ts'
import { commandPath as program } from '../command-path.ts'
import { apiOf } from './host-api.ts'
import { type HostHome, hostHome } from './host-home.ts'

function dial(at: HostHome, revision: '2025-11-25' | '2026-07-28', ...args: readonly string[]) {
  return dialFrom(at, at.project, { args, revisions: [revision] })
}

interface Dialled {
  readonly args: readonly string[]
  readonly revisions: readonly string[]
}

function dialFrom({ env }: HostHome, cwd: string, { args, revisions }: Dialled) {
  const variables = Object.fromEntries(Object.entries(env).flatMap(([name, value]) => (value ? [[name, value]] : [])))
  const target = { command: nodePath, args: [program, 'stdio', ...args], cwd, env: variables }
  return connect(() => spawnChannel(target), { revisions })
}

/** The tools that a client is offered, once there are some: a host that has just started has none yet. */
async function toolsOf(mcp: Client) {
  let tools = await mcp.tools.list().all()
  const look = async () => {
    tools = await mcp.tools.list().all()
    return tools.length > 0
  }
  if (tools.length === 0) await until(look, 'tools')
  return tools
}

describe('stdio', () => {
  // in this order: the first one finds no host
  const at = hostHome()
  after(() => at[Symbol.asyncDispose]())

  it('starts the host when none runs, once for two clients at the same time', async () => {
    const both = await Promise.all([
      dial(at, '2025-11-25', '--client', 'one'),
      dial(at, '2026-07-28', '--client', 'two'),
    ])
    for (const mcp of both) {
      const tools = await toolsOf(mcp)
      assert.ok(tools.some(({ name }) => name === 'files__list_directory'))
    }
    const { items } = JSON.parse((await at.run('clients', '--json')).stdout)
    assert.deepEqual(
      items.map(({ name }: { name: string }) => name),
      ['command'],
    )
    const waiting = (await apiOf(at).call('inbox')).items.filter(({ kind }) => kind === 'client')
    assert.deepEqual(waiting.map(({ target }) => target).sort(), ['one', 'two'])
    for (const mcp of both) await mcp.close()
  })

  it('offers one server under its own names, with --json too, where its errors are one line of JSON', async () => {
    const wrong = await at.run('stdio', '--json', '--server', 'No Such')
    assert.deepEqual([wrong.exit, wrong.stdout], [1, ''])
    assert.match(JSON.parse(wrong.stderr).error.message, /names are made of a-z/)
    await using mcp = await dial(at, '2025-11-25', '--json', '--server', 'files')
    const tools = await toolsOf(mcp)
    assert.ok(tools.some(({ name }) => name === 'list_directory'))
  })

  it('hears of changes to what it subscribed to before the host was killed', async () => {
    const file = join(at.project, 'note.txt')
    writeFileSync(file, 'one')
    await apiOf(at).call('addClient', { name: 'stdio' })
    await using mcp = await dial(at, '2025-11-25')
    await toolsOf(mcp)
    const uri = pathToFileURL(file).href
    const heard: string[] = []
    await mcp.watch({ uris: [uri] }, (change) => void (change.kind === 'resource' && heard.push(change.uri)))
    const { pid } = JSON.parse(readFileSync(join(at.home, '.local/state/trunkline/running.json'), 'utf8'))
    process.kill(pid, 'SIGKILL')
    await until(() => heard.length > 0)
    const told = heard.length
    for (let count = 0; heard.length === told; count += 1) {
      writeFileSync(file, `changed ${count}`)
      await new Promise((resolve) => setTimeout(resolve, 200))
    }
    assert.deepEqual([...new Set(heard)], [uri])
  })

  it('goes on when the host restarts, without the client noticing, in both revisions', async () => {
    await using before = await dial(at, '2025-11-25')
    await using since = await dial(at, '2026-07-28')
    for (const mcp of [before, since]) await mcp.tools.list().all()
    assert.equal((await at.run('down')).exit, 0)
    assert.equal((await at.run('up', '--detach')).exit, 0)
    for (const mcp of [before, since]) assert.ok((await toolsOf(mcp)).length > 0)
  })
})

describe('stdio, where a host runs', () => {
  const at = hostHome()
  const where = programFile(new URL('../../../host/test/programs/where.ts', import.meta.url))
  before(async () => {
    // a relative directory: each project has a process of its own
    at.configure({ mcpServers: { where: { command: process.execPath, args: [where], cwd: '.' } } })
    await at.up()
  })
  after(() => at[Symbol.asyncDispose]())

  it('says which directory its client works in, and reaches the servers of that directory', async () => {
    const blog = join(at.project, '..', 'blog')
    mkdirSync(blog)
    const api = apiOf(at)
    await api.call('addClient', { name: 'stdio' })
    for (const directory of [at.project, blog]) {
      await using mcp = await dialFrom(at, directory, { args: [], revisions: ['2026-07-28'] })
      await mcp.tools.list().all()
      const root = realpathSync(directory)
      const { items } = await api.call('servers')
      const { key, commandHash } = items.find(({ project }) => project === root) ?? assert.fail(JSON.stringify(items))
      await api.call('acceptServer', { server: key, commandHash })
      const { content } = await mcp.tools.call('where__read_where', {})
      assert.deepEqual(content, [{ type: 'text', text: root }])
    }
  })

  it('that is refused names the command that helps: a server that is not there, a client that was revoked', async () => {
    const refused = async (...args: readonly string[]) => {
      const child = at.start('stdio', ...args)
      let stderr = ''
      child.stderr?.on('data', (data) => (stderr += data))
      const [exit] = await once(child, 'close')
      assert.equal(exit, 5)
      return stderr
    }
    assert.match(await refused('--server', 'none'), /nothing at \/mcp\/server\/none\n.*trunkline ls/)
    const api = apiOf(at)
    await api.call('addClient', { name: 'editor' })
    await api.call('revoke', { name: 'editor' })
    const revoked = await refused('--client', 'editor')
    assert.match(revoked, /"editor" was revoked; .*"trunkline clients add editor"\n.*trunkline clients lists/)
    assert.doesNotMatch(revoked, /trunkline ls/)
    await api.call('addClient', { name: 'editor' })
    await using mcp = await dial(at, '2025-11-25', '--client', 'editor')
    assert.equal(mcp.server?.name, 'trunkline')
  })
})
