import assert from 'node:assert/strict'
import { existsSync, readdirSync, readFileSync, renameSync, rmSync } from 'node:fs'
import { join } from 'node:path'
import { after, describe, it } from 'node:test'
import { apiClient } from '../../src/api/client.ts'
import type { RunningHost } from '../../src/running/run-host-types.ts'
import { textOf } from '../gateway/running-host.ts'
import { packVersion } from './package.ts'
import { callerOf, type Person, person } from './person.ts'

const apiOf = ({ runningFile }: RunningHost) => apiClient(JSON.parse(readFileSync(runningFile, 'utf8')))

/** A person whose package manager finds no network, as on a train. */
function onATrain(): Person {
  const ann = person({ onDisk: true })
  const offline = { npm_config_registry: 'http://127.0.0.1:1', npm_config_fetch_retries: '0' }
  const machine = { ...ann.machine, environment: { ...ann.machine.environment, ...offline } }
  return {
    ...ann,
    machine,
    run: (options) => ann.run({ machine, ...options }),
    [Symbol.dispose]: () => ann[Symbol.dispose](),
  }
}

const said = async (running: RunningHost) => {
  await using mcp = await callerOf(running)
  return textOf(await mcp.tools.call('notes__read_note', {}))
}

it('a server that is a package and cannot be fetched is not accepted, and nothing is left behind', async () => {
  using ann = onATrain()
  ann.configure({ mcpServers: { notes: { command: 'npx', args: ['-y', '@acme/none@1'] } } })
  await using running = await ann.run()
  await assert.rejects(running.host.accept('notes'), /Cannot install "@acme\/none@1": .*ECONNREFUSED/)
  assert.ok(!running.host.isAccepted('notes'))
  const programs = join(ann.places.state, 'programs')
  assert.deepEqual(existsSync(programs) ? readdirSync(programs) : [], [])
})

describe('a server that is a package, from its acceptance on', () => {
  const things = new AsyncDisposableStack()
  const ann = things.use(onATrain())
  const path = join(ann.home, 'notes.tgz')
  const programs = join(ann.places.state, 'programs')
  after(() => things.disposeAsync())
  ann.configure({ mcpServers: { notes: { command: 'npx', args: ['-y', path, '--all'] } } })

  it('is installed when it is accepted, and runs at that version from its own folder, whatever is published later', async () => {
    packVersion(ann.home, { version: '1.0.0', description: 'Reads a note' })
    {
      await using running = await ann.run()
      await running.host.accept('notes')
      assert.equal(await said(running), '1.0.0 --all')
      await running.lockfiles.write()
      const lock = readFileSync(join(ann.places.config, 'trunkline.lock'), 'utf8')
      assert.match(lock, /"program": "npm:@acme\/notes@1\.0\.0"/)
      assert.match(lock, /"integrity": "sha512-/)
      const { items } = await apiOf(running).call('servers')
      assert.equal(items[0]?.program, 'npm:@acme/notes@1.0.0')
    }
    // neither the package nor the network is there any more
    rmSync(path)
    await using running = await ann.run()
    assert.equal(await said(running), '1.0.0 --all')
    const [{ why, available } = assert.fail()] = (await apiOf(running).call('outdated')).items
    assert.equal(available, undefined)
    assert.ok(why !== undefined && why !== '')
  })

  it('shows the changes of an update before it counts, and removes the old version with the next start', async () => {
    {
      await using running = await ann.run()
      const api = apiOf(running)
      packVersion(ann.home, { version: '1.1.0', description: 'Reads any note' })
      const program = { server: 'notes', program: 'npm:@acme/notes', accepted: '1.0.0', available: '1.1.0' }
      assert.deepEqual((await api.call('outdated')).items, [program])
      const { from, to, changes, digest } = await api.call('planUpdate', { server: 'notes' })
      assert.deepEqual([from, to], ['1.0.0', '1.1.0'])
      assert.deepEqual(
        changes.map(({ name, change, differences }) => [name, change, differences[0]?.after]),
        [['read_note', 'changed', 'Reads any note']],
      )
      assert.match(await said(running), /^1\.0\.0/)
      await assert.rejects(api.call('update', { server: 'notes', digest: 'another' }), /nobody looked at this version/)
      await api.call('update', { server: 'notes', digest })
      assert.match(await said(running), /^1\.1\.0/)
      assert.equal(running.host.catalogue.find('notes', 'tool', 'read_note')?.standing, 'usable')
      assert.equal(readdirSync(programs).length, 2)
    }
    await using running = await ann.run()
    assert.equal(readdirSync(programs).length, 1)
    assert.match(await said(running), /^1\.1\.0/)
  })

  it('runs on at its version after an update that does not start', async () => {
    await using running = await ann.run()
    assert.match(await said(running), /^1\.1\.0/)
    const before = running.host.servers.get('notes')
    packVersion(ann.home, { version: '2.0.0', description: 'Reads a note', isBroken: true })
    const broken = await apiOf(running).call('planUpdate', { server: 'notes' })
    assert.match(broken.unseen ?? '', /broken/)
    await assert.rejects(
      apiOf(running).call('update', { server: 'notes', digest: broken.digest }),
      /Cannot update server "notes": .*; the version before runs on/s,
    )
    assert.match(await said(running), /^1\.1\.0/)
    // one that breaks between being looked at and being run
    packVersion(ann.home, { version: '2.0.1', description: 'Reads a note' })
    const { digest } = await apiOf(running).call('planUpdate', { server: 'notes' })
    const accepted = running.host.programs.of('notes')?.folder
    for (const name of readdirSync(programs)) {
      const folder = join(programs, name)
      if (folder !== accepted) renameSync(folder, `${folder}-gone`)
    }
    await assert.rejects(apiOf(running).call('update', { server: 'notes', digest }), /the version before runs on/)
    assert.equal(running.host.servers.get('notes'), before)
    assert.match(await said(running), /^1\.1\.0/)
    assert.equal(before?.status.starts, 1)
  })

  it('says when its folder is gone, with the command that installs it again', async () => {
    await using running = await ann.run()
    assert.match(await said(running), /^1\.1\.0/)
    rmSync(programs, { recursive: true })
    await running.reload()
    const told = await said(running)
    assert.match(told, /its program is gone.*a person has to see to that at the host$/)
    assert.doesNotMatch(told, /trunkline update/, 'a caller is told what to run')
    const { why } = running.host.servers.get('notes')?.status ?? assert.fail()
    assert.match(why, /its program is gone from .*; install it again with "trunkline update notes"$/)
  })
})
