import assert from 'node:assert/strict'
import { existsSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { describe, it } from 'node:test'
import { programFile } from '../../../../tools/lib/program-file.ts'
import { packVersion } from '../../../host/test/run/package.ts'
import { packageRegistry } from '../../../host/test/run/registry.ts'
import { bystanderApi } from './bystander-api.ts'
import { acceptServer } from './host-api.ts'
import { type HostHome, hostHome } from './host-home.ts'

const program = programFile(new URL('../../../host/test/programs/from-file.ts', import.meta.url))
const note = { name: 'read_note', description: 'Reads a note' }
const more = { name: 'more%0A', description: 'More\u001b[31m' }

/** A server whose tools stand in a file of the project. */
function configured(at: HostHome) {
  const file = join(at.project, 'tools.json')
  const offer = (...tools: readonly object[]) => writeFileSync(file, JSON.stringify(tools))
  offer(note)
  at.configure({ mcpServers: { notes: { command: process.execPath, args: [program, file] } } })
  return offer
}

const apiOf = ({ home }: HostHome) =>
  bystanderApi(JSON.parse(readFileSync(join(home, '.local/state/trunkline/running.json'), 'utf8')))

describe('lock and diff', () => {
  it('write what was accepted, and tell with their exit code whether it holds', async () => {
    await using at = hostHome()
    const offer = configured(at)
    const { exit, stderr } = await at.run('lock', 'verify')
    assert.equal(exit, 12)
    assert.match(stderr, /no host runs\nStart it \(trunkline up\)/)
    await at.up()
    const api = apiOf(at)
    await acceptServer(api, 'notes')
    const { stdout: written } = await at.run('lock')
    assert.match(written, /trunkline\.lock (was written|is up to date): notes/)
    const { locks } = JSON.parse((await at.run('lock', '--json')).stdout)
    assert.deepEqual([locks[0].servers, locks[0].isChanged], [['notes'], false])
    assert.equal((await at.run('lock', 'verify')).exit, 0)
    assert.match((await at.run('diff')).stdout, /Nothing differs/)

    offer({ ...note, description: 'Reads any file' }, more)
    await api.call('restart', { server: 'notes' })
    const verified = await at.run('lock', 'verify', '--json')
    assert.equal(verified.exit, 10)
    const { findings } = JSON.parse(verified.stdout)
    assert.deepEqual(findings.map(({ name, result }: { name: string; result: string }) => `${result} ${name}`).sort(), [
      'changed read_note',
      'new more%0A',
      'same notes',
    ])
    const { stdout } = await at.run('diff', 'notes')
    assert.match(stdout, /changed notes:read_note\n@ \/description \(text\)\n- Reads a note\n\+ Reads any file\n/)
    assert.ok(!stdout.includes('\u001b'), 'an escape of the server reached the terminal')
  })

  it('verify without a host where it may start the servers, in the formats of build servers', async () => {
    await using at = hostHome()
    const offer = configured(at)
    assert.equal((await at.run('lock', 'verify', '--start')).exit, 11)
    const { command } = JSON.parse(readFileSync(join(at.home, '.config/trunkline/trunkline.json'), 'utf8')).mcpServers
      .notes
    assert.equal(command, process.execPath)
    const lock = join(at.home, '.config/trunkline/trunkline.lock')
    const tools = { read_note: { class: 'reads', hash: 'a'.repeat(64) } }
    const server = { command: [process.execPath, program, join(at.project, 'tools.json')], tools }
    writeFileSync(lock, JSON.stringify({ version: 1, servers: { notes: server } }, null, 2))
    offer(note, more)
    const github = await at.run('lock', 'verify', '--start', '--format', 'github')
    assert.equal(github.exit, 10)
    assert.match(github.stdout, /^::error file=.*trunkline\.lock,line=11,title=.*::notes:read_note its definition/m)
    assert.match(github.stdout, /^::warning .*::notes:more%250A is not in the lock$/m)
    const junit = await at.run('lock', 'verify', '--start', '--format', 'junit')
    assert.match(junit.stdout, /<testsuite name="trunkline.lock" tests="3" failures="2">/)
    writeFileSync(lock, '{ "servers": 1 }')
    const broken = await at.run('lock', 'verify', '--start')
    assert.equal(broken.exit, 12)
    assert.match(broken.stdout, /trunkline\.lock:1: servers is a number/)
  })

  it('verify without a host compares the package that a command fetches, and starts it only if it is the locked one', async () => {
    await using at = hostHome()
    await using registry = await packageRegistry('@acme/notes', { notes: 'notes.js' })
    const started = join(at.home, 'started')
    const begins = `require('node:fs').appendFileSync(${JSON.stringify(started)}, 'x')`
    const publish = (version: string) =>
      registry.publish(version, packVersion(at.home, { version, description: 'Reads a note', begins }))
    writeFileSync(join(at.home, '.npmrc'), `registry=${registry.url}\nfetch-retries=0\n`)
    at.configure({ mcpServers: { notes: { command: 'npx', args: ['-y', '@acme/notes@^1'] } } })
    publish('1.0.0')
    await at.up()
    await acceptServer(apiOf(at), 'notes')
    await at.run('lock')
    await at.run('down')
    const verify = async () => {
      rmSync(started, { force: true })
      const { exit, stdout } = await at.run('lock', 'verify', '--start')
      return { exit, stdout, isStarted: existsSync(started) }
    }
    const same = await verify()
    assert.deepEqual([same.exit, same.isStarted], [0, true], same.stdout)

    const file = join(at.home, '.config/trunkline/trunkline.lock')
    const lock = readFileSync(file, 'utf8')
    writeFileSync(file, lock.replace(/"integrity": "sha512-[^"]+"/, '"integrity": "sha512-other"'))
    const replaced = await verify()
    assert.deepEqual([replaced.exit, replaced.isStarted], [10, false])
    assert.match(replaced.stdout, /with the integrity sha512-\S+, and sha512-other is locked/)

    writeFileSync(file, lock)
    publish('1.1.0')
    const newer = await verify()
    assert.deepEqual([newer.exit, newer.isStarted], [10, false])
    assert.match(newer.stdout, /runs npm:@acme\/notes@1\.1\.0, and npm:@acme\/notes@1\.0\.0 is locked/)
  })
})
