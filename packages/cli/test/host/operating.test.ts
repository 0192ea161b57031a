import assert from 'node:assert/strict'
import { once } from 'node:events'
import { chmodSync, mkdirSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { type AddressInfo, createServer } from 'node:net'
import { join } from 'node:path'
import { after, before, describe, it } from 'node:test'
import { connect } from '@trunkline/mcp'
import { commandPath } from '../command-path.ts'
import { bystanderAddress } from './bystander-api.ts'
import { acceptServer, apiOf } from './host-api.ts'
import { type HostHome, hostHome, type Ran, upstreamEntry } from './host-home.ts'

const page = readFileSync(join(import.meta.dirname, '../../../../docs/operating.md'), 'utf8')

/** The commands that the page shows under a name. */
function recipe(name: string): string {
  const [, commands] = new RegExp(`<!-- recipe: ${name} -->\n\`\`\`sh\n([^]*?)\`\`\``).exec(page) ?? []
  assert.ok(commands, `docs/operating.md has no recipe "${name}"`)
  return commands
}

/** Runs lines of a shell as a person types them, with `trunkline` on the path, and ends at the first one that fails. */
function typed(at: HostHome, lines: string): Promise<Ran> {
  const bin = join(at.project, 'bin')
  mkdirSync(bin, { recursive: true })
  writeFileSync(join(bin, 'trunkline'), `#!/bin/sh\nexec "${process.execPath}" "${commandPath}" "$@"\n`)
  chmodSync(join(bin, 'trunkline'), 0o755)
  return at.login('sh', '-ec', `PATH="${bin}:$PATH"\n${lines}`)
}

/** Runs a recipe of the page to its end. */
async function follow(at: HostHome, name: string): Promise<string> {
  const { exit, stdout, stderr } = await typed(at, recipe(name))
  assert.equal(exit, 0, `${name}: ${stdout}${stderr}`)
  return stdout
}

/** Lets a host run that has an accepted server and a secret; the token of a client. */
async function use(at: HostHome): Promise<string> {
  at.configure({ mcpServers: { upstream: upstreamEntry } })
  await at.up()
  const kept = await typed(at, 'echo s3cret | trunkline secret set github.token')
  assert.equal(kept.exit, 0, kept.stderr)
  await acceptServer(apiOf(at), 'upstream')
  const { token } = await apiOf(at).call('addClient', { name: 'editor' })
  await echoed(at, token)
  return token
}

/** The answer of the accepted server to a client with this token. */
async function echoed(at: HostHome, token: string): Promise<unknown> {
  const { mcp } = await apiOf(at).call('status')
  const address = await bystanderAddress(new URL('/', mcp).href, 'client')
  await using client = await connect(new URL('/mcp', address), {
    http: { headers: { authorization: `Bearer ${token}` } },
  })
  const { content } = await client.tools.call('upstream__echo', { text: 'still here' })
  return content
}

async function assertAsBefore(at: HostHome, token: string): Promise<void> {
  assert.match(JSON.stringify(await echoed(at, token)), /still here/)
  assert.match((await at.run('secret', 'ls')).stdout, /github\.token/)
}

describe('docs/operating.md', () => {
  // in this order: what is moved is the backup that was restored before
  let at: HostHome
  let token: string
  before(async () => {
    at = hostHome()
    token = await use(at)
  })
  after(() => at[Symbol.asyncDispose]())

  it('names every file that a host keeps', async () => {
    const kept = ['.config/trunkline', '.local/state/trunkline'].flatMap((folder) => readdirSync(join(at.home, folder)))
    assert.ok(kept.includes('trunkline.db-wal') && kept.includes('running.json'))
    assert.deepEqual(
      kept.filter((name) => !page.includes(`\`${name}\``) && !page.includes(`\`${name}/\``)),
      [],
    )
  })

  it('says what to do where a host runs', async () => {
    assertInTable((await at.run('up')).stderr)
  })

  it('a backup that is restored as written brings back servers, secrets, clients and the ledger of its day', async () => {
    await follow(at, 'backup')
    const { mcp } = await apiOf(at).call('status')
    const { token: later } = await apiOf(at).call('addClient', { name: 'later' })
    await echoed(at, later)
    assert.match(await follow(at, 'restore'), /upstream/)
    await assertAsBefore(at, token)
    await assert.rejects(echoed(at, later), 'what came after the backup is gone')
    assert.equal((await apiOf(at).call('status')).mcp, mcp, 'the port is the same')
  })

  it('a host that is moved as written goes on in another home of the same path', async () => {
    await at.run('down')
    // what is left is what the new machine has: the archive
    for (const folder of ['.config', '.local']) rmSync(join(at.home, folder), { recursive: true })
    assert.match(await follow(at, 'move'), /upstream/)
    await assertAsBefore(at, token)
  })
})

/** Fails unless the table of the page has a row for what a host said that did not start. */
function assertInTable(said: string): void {
  const [, section = ''] = page.split('## When the host does not start')
  const rows = Array.from(section.matchAll(/^\| `(.+?)` \|/gm), ([, row = '']) => row.split('…'))
  const isListed = rows.some((parts) => parts.every((part) => said.includes(part)))
  assert.ok(isListed, `docs/operating.md does not say what to do about: ${said}`)
}

it('docs/operating.md: says what to do where another program has the port, or the store is damaged', async () => {
  await using at = hostHome()
  await using taken = createServer().listen(0, '127.0.0.1')
  await once(taken, 'listening')
  const { port } = taken.address() as AddressInfo
  assertInTable((await at.run('up', '--port', String(port))).stderr)
  const store = join(at.home, '.local/state/trunkline/trunkline.db')
  writeFileSync(store, 'no database')
  assertInTable((await at.run('up')).stderr)
})
