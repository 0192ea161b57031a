import assert from 'node:assert/strict'
import { execFileSync } from 'node:child_process'
import { once } from 'node:events'
import { cpSync, mkdirSync, mkdtempSync, readFileSync, renameSync, rmSync, writeFileSync } from 'node:fs'
import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { DatabaseSync } from 'node:sqlite'
import { text } from 'node:stream/consumers'
import { after, before, describe, it } from 'node:test'
import { type CliRun, runCli } from '../run-cli.ts'
import { acceptServer, apiOf, clientOf } from './host-api.ts'
import { type HostHome, hostHome, upstreamEntry } from './host-home.ts'

const store = (at: HostHome) => join(at.home, '.local/state/trunkline/trunkline.db')

describe('the record of a host that has done something', () => {
  /** A home whose host has done something, and runs; it ends when nothing needs it to run any more. */
  let at: HostHome
  /** The file that anchors are appended to while the host runs. */
  let anchors: string
  /** All that the host had stored when it ended, away from its home. */
  let stored: string

  before(async () => {
    at = hostHome()
    at.configure({ mcpServers: { upstream: upstreamEntry } })
    await at.up()
    await work()
    anchors = join(at.project, 'anchors.jsonl')
    stored = join(at.project, 'stored')
  })
  after(() => at[Symbol.asyncDispose]())

  async function work(): Promise<void> {
    const api = apiOf(at)
    await acceptServer(api, 'upstream')
    await using client = await clientOf(api, `editor-${Date.now()}`)
    for (let count = 0; count < 3; count += 1) await client.tools.call('upstream__echo', { text: String(count) })
  }

  /** A home with what the host had stored, to which something is done before a host starts in it. */
  async function changed(change: (home: HostHome) => void): Promise<HostHome> {
    const folder = mkdtempSync(join(tmpdir(), 'trunkline-'))
    cpSync(at.home, join(folder, 'home'), { recursive: true })
    cpSync(stored, join(folder, 'home/.local'), { recursive: true })
    const copy = hostHome(folder)
    change(copy)
    await copy.up()
    return copy
  }

  function cutTail(home: HostHome): void {
    using database = new DatabaseSync(store(home))
    database.exec('DELETE FROM ledger_line WHERE number > 3')
  }

  const verified = async (home: HostHome, ...words: readonly string[]) => {
    const { exit, stdout } = await home.run('audit', 'verify', '--json', ...words)
    return { exit, ...JSON.parse(stdout) }
  }

  /** Runs the command in a process that has neither the home nor a host. */
  function elsewhere(...words: readonly string[]): Promise<CliRun> {
    const home = join(at.project, 'elsewhere')
    mkdirSync(home, { recursive: true })
    return runCli(words, { env: { HOME: home } })
  }

  describe('audit anchor', () => {
    it('prints the end of the ledger, and appends it to a file that the ledger is verified against', async () => {
      const first = await at.run('audit', 'anchor', '--append', anchors)
      assert.equal(first.exit, 0)
      assert.equal(readFileSync(anchors, 'utf8'), first.stdout)
      await work()
      await at.run('audit', 'anchor', '--append', anchors)
      const { exit, anchors: matched } = await verified(at, '--anchor', anchors)
      assert.deepEqual([exit, matched], [0, 2])
      const exportFile = join(at.project, 'anchored.jsonl')
      await at.run('audit', 'export', '-o', exportFile)
      const there = await elsewhere('audit', 'verify', exportFile, '--anchor', anchors)
      assert.deepEqual([there.exit, /2 anchors matched/.test(there.stdout)], [0, true])
    })

    it('commits it to a git repository, and nothing else that is staged there', async () => {
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
        assert.deepEqual(
          [refused.exit, /by https, or by http to this machine/.test(refused.stderr)],
          [1, true],
          address,
        )
      }
    })
  })

  describe('audit export and verify FILE', () => {
    it('says of an export without a signature that it has none', async () => {
      const file = join(at.project, 'unsigned.jsonl')
      assert.equal((await at.run('audit', 'export', '-o', file)).exit, 0)
      writeFileSync(file, readFileSync(file, 'utf8').split('\n').slice(0, -2).join('\n'))
      const { exit, stdout } = await elsewhere('audit', 'verify', file)
      assert.deepEqual([exit, /there is no signature/.test(stdout)], [0, true])
      assert.equal((await elsewhere('audit', 'verify', file, '--key', 'SHA256:x')).exit, 3)
    })

    it('an export is verified by another process without the home, by its key, and not after it was altered', async () => {
      const file = join(at.project, 'ledger.jsonl')
      assert.equal((await at.run('audit', 'export', '-o', file)).exit, 0)
      const { exit: intact, broken, key, lines } = await verified(at)
      assert.deepEqual([intact, broken], [0, undefined])
      await at.run('down')
      renameSync(join(at.home, '.local'), stored)
      const there = await elsewhere('audit', 'verify', file, '--json', '--key', key)
      assert.equal(there.exit, 0)
      assert.deepEqual(JSON.parse(there.stdout), { lines, signedUpTo: lines, unsignedUpTo: 0, key })
      assert.match((await elsewhere('audit', 'verify', file)).stdout, /signed up to line \d+\nKey SHA256:/)
      const other = await elsewhere('audit', 'verify', file, '--json', '--key', 'SHA256:other')
      assert.deepEqual(
        [other.exit, JSON.parse(other.stdout).broken],
        [3, `it is signed by ${key}, not by SHA256:other`],
      )
      const whole = readFileSync(file, 'utf8')
      writeFileSync(file, whole.split('\n').toSpliced(-3, 1).join('\n'))
      assert.match((await elsewhere('audit', 'verify', file)).stdout, /signed up to line/)
      const { exit, stdout } = await elsewhere('audit', 'verify', file, '--json')
      assert.deepEqual([exit, /ends with/.test(JSON.parse(stdout).broken)], [3, true])
    })
  })

  describe('audit verify', () => {
    it('fails with 3 for a tail that was cut while the host was down, and passes after the line that a person names', async () => {
      await using home = await changed(cutTail)
      const { exit, broken } = await verified(home)
      assert.equal(exit, 3)
      const [, after = ''] = /were signed and are missing .* --after (\d+)/.exec(broken) ?? []
      assert.equal(after, '3')
      assert.equal((await verified(home, '--after', after)).exit, 0)
      assert.equal((await home.run('audit', 'verify', '--after', 'x')).exit, 1)
    })

    it('fails with 3 when the key was removed', async () => {
      await using home = await changed(({ home }) => rmSync(join(home, '.local/state/trunkline/ledger-key.pem')))
      const { exit, broken } = await verified(home)
      assert.deepEqual([exit, /the key SHA256:.* is gone/.test(broken)], [3, true])
    })

    it('shows what the same user can do to key, tip and lines together', async () => {
      await using home = await changed((copy) => {
        cutTail(copy)
        using database = new DatabaseSync(store(copy))
        database.exec("DELETE FROM ledger_key WHERE name = 'public'")
        for (const name of ['ledger-key.pem', 'ledger-tip.json'])
          rmSync(join(copy.home, '.local/state/trunkline', name))
      })
      // without the anchor it looks like a ledger that was never signed before
      const { exit: alone, unsignedUpTo } = await verified(home)
      assert.deepEqual([alone, unsignedUpTo], [0, 3])
      const { exit, broken } = await verified(home, '--anchor', anchors)
      assert.deepEqual([exit, /the anchor of line \d+ was signed by the key/.test(broken)], [3, true])
    })
  })
})
const author = { GIT_CONFIG_GLOBAL: '/dev/null' }
