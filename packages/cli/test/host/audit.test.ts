import assert from 'node:assert/strict'
import { execFileSync, spawn } from 'node:child_process'
import { once } from 'node:events'
import { mkdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { join } from 'node:path'
import { DatabaseSync } from 'node:sqlite'
import { text } from 'node:stream/consumers'
import { describe, it } from 'node:test'
import { commandPath } from '../command-path.ts'
import { acceptServer, apiOf, clientOf } from './host-api.ts'
import { type HostHome, hostHome, upstreamEntry } from './host-home.ts'

const store = (at: HostHome) => join(at.home, '.local/state/trunkline/trunkline.db')

/** A home whose host has done something, and runs. */
async function used(): Promise<HostHome> {
  const at = hostHome()
  at.configure({ mcpServers: { upstream: upstreamEntry } })
  await at.up()
  await work(at)
  return at
}

async function work(at: HostHome): Promise<void> {
  const api = apiOf(at)
  await acceptServer(api, 'upstream')
  await using client = await clientOf(api, `editor-${Date.now()}`)
  for (let count = 0; count < 3; count += 1) await client.tools.call('upstream__echo', { text: String(count) })
}

/** Ends the host, does something to what it stored, and starts it again. */
async function whileDown(at: HostHome, change: () => void): Promise<void> {
  await at.run('down')
  change()
  await at.up()
}

function cutTail(at: HostHome): void {
  using database = new DatabaseSync(store(at))
  database.exec('DELETE FROM ledger_line WHERE number > 3')
}

const verified = async (at: HostHome, ...words: readonly string[]) => {
  const { exit, stdout } = await at.run('audit', 'verify', '--json', ...words)
  return { exit, ...JSON.parse(stdout) }
}

/** Runs the command in a process that has neither the home nor a host. */
async function elsewhere(folder: string, ...words: readonly string[]): Promise<{ exit: number; stdout: string }> {
  const home = join(folder, 'elsewhere')
  mkdirSync(home, { recursive: true })
  const { PATH, NODE_COMPILE_CACHE } = process.env
  const child = spawn(process.execPath, [commandPath, ...words], { env: { PATH, NODE_COMPILE_CACHE, HOME: home } })
  const [stdout, [exit]] = await Promise.all([text(child.stdout), once(child, 'close')])
  return { exit, stdout }
}

describe('audit export and verify FILE', () => {
  it('an export is verified by another process without the home, by its key, and not after it was altered', async () => {
    await using at = await used()
    const file = join(at.project, 'ledger.jsonl')
    assert.equal((await at.run('audit', 'export', '-o', file)).exit, 0)
    const { key, lines } = await verified(at)
    await at.run('down')
    rmSync(join(at.home, '.local'), { recursive: true })
    const there = await elsewhere(at.project, 'audit', 'verify', file, '--json', '--key', key)
    assert.equal(there.exit, 0)
    assert.deepEqual(JSON.parse(there.stdout), { lines, signedUpTo: lines, unsignedUpTo: 0, key })
    assert.match((await elsewhere(at.project, 'audit', 'verify', file)).stdout, /signed up to line \d+\nKey SHA256:/)
    const other = await elsewhere(at.project, 'audit', 'verify', file, '--json', '--key', 'SHA256:other')
    assert.deepEqual([other.exit, JSON.parse(other.stdout).broken], [3, `it is signed by ${key}, not by SHA256:other`])
    const whole = readFileSync(file, 'utf8')
    writeFileSync(file, whole.split('\n').toSpliced(-3, 1).join('\n'))
    assert.match((await elsewhere(at.project, 'audit', 'verify', file)).stdout, /signed up to line/)
    const { exit, stdout } = await elsewhere(at.project, 'audit', 'verify', file, '--json')
    assert.deepEqual([exit, /ends with/.test(JSON.parse(stdout).broken)], [3, true])
  })

  it('says of an export without a signature that it has none', async () => {
    await using at = await used()
    const file = join(at.project, 'ledger.jsonl')
    await at.run('audit', 'export', '-o', file)
    writeFileSync(file, readFileSync(file, 'utf8').split('\n').slice(0, -2).join('\n'))
    const { exit, stdout } = await elsewhere(at.project, 'audit', 'verify', file)
    assert.deepEqual([exit, /there is no signature/.test(stdout)], [0, true])
    assert.equal((await elsewhere(at.project, 'audit', 'verify', file, '--key', 'SHA256:x')).exit, 3)
  })
})

describe('audit verify', () => {
  it('fails with 3 for a tail that was cut while the host was down, and passes after the line that a person names', async () => {
    await using at = await used()
    assert.deepEqual([(await verified(at)).exit, (await verified(at)).broken], [0, undefined])
    await whileDown(at, () => cutTail(at))
    const { exit, broken } = await verified(at)
    assert.equal(exit, 3)
    const [, after = ''] = /were signed and are missing .* --after (\d+)/.exec(broken) ?? []
    assert.equal(after, '3')
    assert.equal((await verified(at, '--after', after)).exit, 0)
    assert.equal((await at.run('audit', 'verify', '--after', 'x')).exit, 1)
  })

  it('fails with 3 when the key was removed', async () => {
    await using at = await used()
    await whileDown(at, () => rmSync(join(at.home, '.local/state/trunkline/ledger-key.pem')))
    const { exit, broken } = await verified(at)
    assert.deepEqual([exit, /the key SHA256:.* is gone/.test(broken)], [3, true])
  })
})

describe('audit anchor', () => {
  it('prints the end of the ledger, and appends it to a file that the ledger is verified against', async () => {
    await using at = await used()
    const file = join(at.project, 'anchors.jsonl')
    const first = await at.run('audit', 'anchor', '--append', file)
    assert.equal(first.exit, 0)
    assert.equal(readFileSync(file, 'utf8'), first.stdout)
    await work(at)
    await at.run('audit', 'anchor', '--append', file)
    const { exit, anchors } = await verified(at, '--anchor', file)
    assert.deepEqual([exit, anchors], [0, 2])
    const exportFile = join(at.project, 'ledger.jsonl')
    await at.run('audit', 'export', '-o', exportFile)
    const there = await elsewhere(at.project, 'audit', 'verify', exportFile, '--anchor', file)
    assert.deepEqual([there.exit, /2 anchors matched/.test(there.stdout)], [0, true])
  })

  it('shows what the same user can do to key, tip and lines together', async () => {
    await using at = await used()
    const file = join(at.project, 'anchors.jsonl')
    await at.run('audit', 'anchor', '--append', file)
    const state = join(at.home, '.local/state/trunkline')
    await whileDown(at, () => {
      cutTail(at)
      using database = new DatabaseSync(store(at))
      database.exec("DELETE FROM ledger_key WHERE name = 'public'")
      for (const name of ['ledger-key.pem', 'ledger-tip.json']) rmSync(join(state, name))
    })
    // without the anchor it looks like a ledger that was never signed before
    const { exit: alone, unsignedUpTo } = await verified(at)
    assert.deepEqual([alone, unsignedUpTo], [0, 3])
    const { exit, broken } = await verified(at, '--anchor', file)
    assert.deepEqual([exit, /the anchor of line \d+ was signed by the key/.test(broken)], [3, true])
  })

  it('commits it to a git repository, and nothing else that is staged there', async () => {
    await using at = await used()
    const folder = join(at.project, 'anchors')
    const git = (...args: readonly string[]) =>
      execFileSync('git', ['-C', folder, ...args], { encoding: 'utf8', env: { ...at.env, ...author } })
    mkdirSync(folder)
    git('init', '--quiet')
    writeFileSync(join(folder, 'mine.txt'), 'staged')
    git('add', 'mine.txt')
    for (const name of ['user.name', 'user.email']) git('config', name, 'ann@example.com')
    const { exit, stdout } = await at.run('audit', 'anchor', '--git', folder)
    assert.equal(exit, 0)
    assert.equal(git('show', 'HEAD:trunkline-anchors.jsonl'), stdout)
    assert.equal(git('show', '--name-only', '--format=%s', 'HEAD').includes('mine.txt'), false)
    assert.equal((await verified(at, '--anchor', join(folder, 'trunkline-anchors.jsonl'))).exit, 0)
    const none = await at.run('audit', 'anchor', '--git', at.home)
    assert.deepEqual([none.exit, /Cannot commit to/.test(none.stderr)], [1, true])
  })

  it('sends it to a webhook of this machine, to another only by https, and tells when it was not taken', async () => {
    await using at = await used()
    let status = 204
    const bodies: string[] = []
    const server = createServer(async (request, response) => {
      bodies.push(await text(request))
      response.writeHead(status).end()
    }).listen(0, '127.0.0.1')
    await once(server, 'listening')
    const url = `http://127.0.0.1:${(server.address() as AddressInfo).port}/`
    const { exit, stdout } = await at.run('audit', 'anchor', '--webhook', url)
    assert.deepEqual([exit, bodies], [0, [stdout.trim()]])
    status = 500
    const failed = await at.run('audit', 'anchor', '--webhook', url)
    assert.deepEqual([failed.exit, /did not take the anchor: it answered 500/.test(failed.stderr)], [4, true])
    server.close()
    for (const address of ['http://example.com/', 'http://127.0.0.1.example.com/', 'file:///tmp/x', 'no address']) {
      const refused = await at.run('audit', 'anchor', '--webhook', address)
      assert.deepEqual([refused.exit, /by https, or by http to this machine/.test(refused.stderr)], [1, true], address)
    }
  })
})

const author = { GIT_CONFIG_GLOBAL: '/dev/null' }
