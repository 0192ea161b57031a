import assert from 'node:assert/strict'
import {
  appendFileSync,
  chmodSync,
  mkdirSync,
  readdirSync,
  readFileSync,
  renameSync,
  symlinkSync,
  unlinkSync,
  writeFileSync,
} from 'node:fs'
import { dirname, join } from 'node:path'
import { describe, it } from 'node:test'
import { apiClient } from '../../src/api/client.ts'
import type { RunningHost } from '../../src/running/run-host-types.ts'
import { textOf } from '../gateway/running-host.ts'
import { packVersion, source } from './package.ts'
import { answer, callerOf, type Person, person, questionOf } from './person.ts'

const description = 'Reads a note'
const script = (version: string) => source({ version, description })

const said = async (running: RunningHost) => {
  await using mcp = await callerOf(running)
  return textOf(await mcp.tools.call('notes__read_note', {}))
}

/** Starts the server anew, as after an idle while or a crash. */
const restarted = async ({ host }: RunningHost) => {
  await host.servers
    .get('notes')
    ?.restart()
    .catch(() => {})
  return host.servers.get('notes')?.status ?? assert.fail()
}

/** A server that is a script, run by Node. */
function ownScript(ann: Person, more: object = {}): string {
  const path = join(ann.home, 'notes.cjs')
  writeFileSync(path, script('1.0.0'))
  ann.configure({ mcpServers: { notes: { command: process.execPath, args: [path], ...more } } })
  return path
}

/** Machine of a person whose search path begins with these folders. */
function withPath(ann: Person, ...folders: readonly string[]) {
  const { environment } = ann.machine
  return { ...ann.machine, environment: { ...environment, PATH: [...folders, environment.PATH].join(':') } }
}

function executable(path: string, text: string): string {
  mkdirSync(dirname(path), { recursive: true })
  writeFileSync(path, text)
  chmodSync(path, 0o755)
  return path
}

describe('a server whose script was replaced', () => {
  it('runs on while it runs, is not started again, and is asked about with both digests', async () => {
    using ann = person()
    const path = ownScript(ann)
    await using running = await ann.run()
    await running.host.accept('notes')
    assert.match(await said(running), /^1\.0\.0/)
    writeFileSync(path, script('6.6.6'))
    assert.match(await said(running), /^1\.0\.0/, 'what runs is not stopped')
    const asked = questionOf(running, 'start')
    const { state, why } = await restarted(running)
    assert.equal(state, 'needs you')
    assert.match(
      why,
      /script ".*notes\.cjs" was changed \(sha256 [0-9a-f]{12} was accepted, now [0-9a-f]{12}\), last written 20/,
    )
    assert.match(why, /accept it with "trunkline accept notes"$/)
    const told = await said(running)
    assert.match(told, /it is not what was accepted; a person has to see to that at the host$/)
    assert.doesNotMatch(told, /6\.6\.6|trunkline accept/)
    const question = await asked
    assert.match(question.why, /would run something else than what you accepted: script /)
    assert.ok(!running.host.isAccepted('notes'))
    await answer(running, question, 'once')
    assert.match(await said(running), /^6\.6\.6/)
    assert.ok(running.host.isAccepted('notes'))
  })

  it('is asked about when the host starts, and a refusal counts for this content alone', async () => {
    using ann = person()
    const path = ownScript(ann)
    {
      await using running = await ann.run()
      await running.host.accept('notes')
    }
    writeFileSync(path, script('6.6.6'))
    await using running = await ann.run()
    await answer(running, await questionOf(running, 'start'), 'refuse')
    assert.match(await said(running), /it is not what was accepted/)
    assert.deepEqual(running.host.inbox.open, [])
    writeFileSync(path, script('7.7.7'))
    const asked = questionOf(running, 'start')
    await restarted(running)
    await asked
    // the accepted file runs unasked
    writeFileSync(path, script('1.0.0'))
    assert.match(await said(running), /^1\.0\.0/)
  })

  it('between the look of a person and their answer, is not accepted', async () => {
    using ann = person()
    const path = ownScript(ann)
    await using running = await ann.run()
    const question = await questionOf(running, 'start')
    assert.match(String((question.detail.runs as string[])[1]), /^script .*notes\.cjs \(sha256 [0-9a-f]{12}\)$/)
    writeFileSync(path, script('6.6.6'))
    await answer(running, question, 'once')
    assert.notEqual((await questionOf(running, 'start')).detail.seen, question.detail.seen)
    assert.ok(!running.host.isAccepted('notes'))
    await assert.rejects(
      running.host.accept('notes', String(question.detail.seen)),
      /changed meanwhile; look at it again/,
    )
  })

  it('is started unasked when it is marked as mine', async () => {
    using ann = person()
    const path = ownScript(ann, { mine: true })
    await using running = await ann.run()
    assert.match(String((await questionOf(running, 'start')).detail.mine), /changes to its files do not ask you/)
    await running.host.accept('notes')
    writeFileSync(path, script('2.0.0'))
    assert.equal((await restarted(running)).state, 'ready')
    assert.match(await said(running), /^2\.0\.0/)
  })

  it('is not mine by the word of a project that was not accepted', async () => {
    using ann = person()
    const path = ownScript(ann)
    writeFileSync(join(ann.project, 'trunkline.json'), JSON.stringify({ mcpServers: { notes: { mine: true } } }))
    await using running = await ann.run()
    await running.host.accept('notes')
    writeFileSync(path, script('6.6.6'))
    assert.equal((await restarted(running)).state, 'needs you')
  })
})

describe('a server whose program is another one now', () => {
  it('is asked about when a program that stands before it on the path has its name', async () => {
    using ann = person()
    const own = executable(join(ann.home, 'tools', 'notes'), script('1.0.0'))
    ann.configure({ mcpServers: { notes: { command: 'notes' } } })
    const machine = withPath(ann, join(ann.home, 'first'), join(ann.home, 'tools'))
    await using running = await ann.run({ machine })
    await running.host.accept('notes')
    assert.match(await said(running), /^1\.0\.0/)
    const shadow = executable(join(ann.home, 'first', 'notes'), script('6.6.6'))
    const { state, why } = await restarted(running)
    assert.equal(state, 'needs you')
    assert.ok(why.includes(`program "notes" is "${shadow}" now, and "${own}" was accepted`), why)
  })

  it('is asked about when its interpreter is another one, by name and by the first line of its script', async () => {
    using ann = person()
    const own = executable(join(ann.home, 'tools', 'notes'), script('1.0.0'))
    for (const entry of [{ command: own }, { command: 'node', args: [own] }]) {
      ann.configure({ mcpServers: { notes: entry } })
      const first = join(ann.home, 'command' in entry && entry.command === 'node' ? 'by-name' : 'by-line')
      await using running = await ann.run({ machine: withPath(ann, first, dirname(process.execPath)) })
      await running.host.accept('notes')
      const shadow = executable(join(first, 'node'), `#!/bin/sh\nexec '${process.execPath}' "$@"\n`)
      const { state, why } = await restarted(running)
      assert.equal(state, 'needs you')
      assert.ok(why.includes(`"node" is "${shadow}" now, and`), why)
    }
  })

  it('is asked about when the link to it leads elsewhere', async () => {
    using ann = person()
    const link = join(ann.home, 'notes')
    symlinkSync(executable(join(ann.home, 'one', 'notes'), script('1.0.0')), link)
    ann.configure({ mcpServers: { notes: { command: link } } })
    await using running = await ann.run()
    await running.host.accept('notes')
    unlinkSync(link)
    symlinkSync(executable(join(ann.home, 'two', 'notes'), script('6.6.6')), link)
    const { state, why } = await restarted(running)
    assert.equal(state, 'needs you')
    assert.match(why, /is ".*two\/notes" now, and ".*one\/notes" was accepted/)
  })

  it('is not asked about when its interpreter was updated', async () => {
    using ann = person()
    const path = ownScript(ann)
    const versions = join(ann.home, 'versions')
    const bin = join(ann.home, 'bin')
    const wrapper = `#!/bin/sh\nexec '${process.execPath}' "$@"\n`
    mkdirSync(bin)
    symlinkSync(executable(join(versions, 'v24.1.0', 'bin', 'node'), wrapper), join(bin, 'node'))
    ann.configure({ mcpServers: { notes: { command: 'node', args: [path] } } })
    await using running = await ann.run({ machine: withPath(ann, bin) })
    await running.host.accept('notes')
    unlinkSync(join(bin, 'node'))
    symlinkSync(executable(join(versions, 'v24.2.1', 'bin', 'node'), `${wrapper}# newer\n`), join(bin, 'node'))
    assert.equal((await restarted(running)).state, 'ready')
  })
})

describe('a server that is a package', () => {
  it('is asked about when a file in its folder was changed, also one that it only loads', async () => {
    using ann = person()
    const offline = { npm_config_registry: 'http://127.0.0.1:1', npm_config_fetch_retries: '0' }
    const machine = { ...ann.machine, environment: { ...ann.machine.environment, ...offline } }
    const path = packVersion(ann.home, { version: '1.0.0', description })
    ann.configure({ mcpServers: { notes: { command: 'npx', args: ['-y', path] } } })
    await using running = await ann.run({ machine })
    await running.host.accept('notes')
    assert.equal((await restarted(running)).state, 'ready')
    const [folder = ''] = readdirSync(join(ann.places.state, 'programs'))
    const manifest = join('node_modules', '@acme', 'notes', 'package.json')
    appendFileSync(join(ann.places.state, 'programs', folder, manifest), '\n')
    const { state, why } = await restarted(running)
    assert.equal(state, 'needs you')
    assert.match(why, /its files in ".*" are not those that were accepted: node_modules\/@acme\/notes\/package\.json/)
  })
})

describe('a server that was accepted before its files were bound', () => {
  it('runs on, bound to the files found at the first start', async () => {
    using ann = person()
    const path = ownScript(ann)
    {
      await using running = await ann.run()
      await running.host.accept('notes')
      running.host.store.database.exec('DELETE FROM program_binding')
    }
    await using running = await ann.run()
    assert.match(await said(running), /^1\.0\.0/)
    const question = await questionOf(running, 'programs')
    assert.match(String(question.detail.changes), /\+ notes: script .*notes\.cjs \(sha256 [0-9a-f]{12}\)/)
    assert.equal(running.host.bound.of('notes')?.by, 'found')
    await answer(running, question, 'once')
    assert.equal(running.host.bound.of('notes')?.by, 'person')
    assert.deepEqual(running.host.inbox.open, [])
    renameSync(path, `${path}.old`)
    writeFileSync(path, script('6.6.6'))
    assert.equal((await restarted(running)).state, 'needs you')
  })
})

it('files found for servers that were accepted earlier are one question, and a refusal asks for each before its next start', async () => {
  using ann = person()
  const path = ownScript(ann)
  const entry = { command: process.execPath, args: [path] }
  ann.configure({ mcpServers: { notes: entry, more: entry } })
  {
    await using running = await ann.run()
    for (const name of ['notes', 'more']) await running.host.accept(name)
    running.host.store.database.exec('DELETE FROM program_binding')
  }
  await using running = await ann.run()
  const question = await questionOf(running, 'programs')
  assert.equal(question.target, 'more, notes')
  assert.match(await said(running), /^1\.0\.0/)
  await answer(running, question, 'refuse')
  assert.match(await said(running), /^1\.0\.0/, 'what runs is not stopped')
  const { state, why } = await restarted(running)
  assert.equal(state, 'needs you')
  assert.match(why, /you refused what it was found to run/)
  await running.host.accept('notes')
  assert.match(await said(running), /^1\.0\.0/)
})

it('the list of servers shows the files that a waiting one would run', async () => {
  using ann = person()
  ownScript(ann)
  await using running = await ann.run()
  const api = apiClient(JSON.parse(readFileSync(running.runningFile, 'utf8')))
  const [{ runs = [], commandHash } = assert.fail()] = (await api.call('servers')).items
  assert.match(runs.join('\n'), /^program .*node\nscript .*notes\.cjs \(sha256 [0-9a-f]{12}\)$/)
  await api.call('acceptServer', { server: 'notes', commandHash })
  assert.match(await said(running), /^1\.0\.0/)
})
