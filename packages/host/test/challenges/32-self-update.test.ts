import assert from 'node:assert/strict'
import { mkdirSync, readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { it } from 'node:test'
import { pathToFileURL } from 'node:url'
import { programFile } from '../../../../tools/lib/program-file.ts'
import { apiClient } from '../../src/api/client.ts'
import type { RunningHost } from '../../src/running/run-host-types.ts'
import { textOf } from '../gateway/running-host.ts'
import { type PackedVersion, packVersion, source } from '../run/package.ts'
import { callerOf, person } from '../run/person.ts'
import { packageRegistry } from '../run/registry.ts'

const apiOf = ({ runningFile }: RunningHost) => apiClient(JSON.parse(readFileSync(runningFile, 'utf8')))

const said = async (running: RunningHost) => {
  await using mcp = await callerOf(running)
  return textOf(await mcp.tools.call('notes__read_note', {}))
}

it('a package that changes under the same range, and under the same version, is not started unasked', async () => {
  using ann = person({ onDisk: true })
  await using registry = await packageRegistry('@acme/notes', { notes: 'notes.js' })
  const npm = { npm_config_registry: registry.url, npm_config_fetch_retries: '0' }
  const machine = { ...ann.machine, environment: { ...ann.machine.environment, ...npm } }
  // the definitions stay the same: only the code is another
  const description = 'Reads a note'
  registry.publish('1.0.0', packVersion(ann.home, { version: '1.0.0', description }))
  ann.configure({ mcpServers: { notes: { command: 'npx', args: ['-y', '@acme/notes@^1'] } } })
  {
    await using running = await ann.run({ machine })
    await running.host.accept('notes')
    assert.match(await said(running), /^1\.0\.0/)
  }
  const evil = packVersion(ann.home, { version: '1.0.1', description })
  registry.publish('1.0.0', evil)
  registry.publish('1.0.1', evil)
  const before = registry.fetched.length
  await using running = await ann.run({ machine })
  assert.match(await said(running), /^1\.0\.0/)
  await running.host.servers.get('notes')?.restart()
  assert.match(await said(running), /^1\.0\.0/)
  assert.equal(registry.fetched.length, before, 'a start fetches nothing')
  // a person sees the installed version first, and only then it runs
  const api = apiOf(running)
  const [outdated] = (await api.call('outdated')).items
  assert.deepEqual([outdated?.accepted, outdated?.available], ['1.0.0', '1.0.1'])
  assert.match(await said(running), /^1\.0\.0/)
  const { digest, changes } = await api.call('planUpdate', { server: 'notes' })
  assert.deepEqual(changes, [])
  assert.match(await said(running), /^1\.0\.0/)
  await api.call('update', { server: 'notes', digest })
  assert.match(await said(running), /^1\.0\.1/)
})

/** A program called uv that installs a package from a folder: a file with the version, and the program itself. */
const localUv = `#!/bin/sh
case "$1 $2" in
  "tool install") mkdir -p "$UV_TOOL_DIR" "$UV_TOOL_BIN_DIR"
    cp "$PUBLISHED/version" "$UV_TOOL_DIR/version"; cp "$PUBLISHED/mcp-notes" "$UV_TOOL_BIN_DIR/mcp-notes" ;;
  "tool list") echo "mcp-notes v$(cat "$UV_TOOL_DIR/version")"; echo "- mcp-notes" ;;
  "pip compile") echo "mcp-notes==$(cat "$PUBLISHED/version")" ;;
  *) echo "unexpected $*" >&2; exit 1 ;;
esac
`

it('a package of PyPI stays at the version that was accepted; its update shows which definitions change, and runs once that was agreed to', async () => {
  using ann = person({ onDisk: true })
  const bin = join(ann.home, 'bin')
  const published = join(ann.home, 'published')
  for (const folder of [bin, published]) mkdirSync(folder)
  writeFileSync(join(bin, 'uv'), localUv, { mode: 0o755 })
  const publish = (packed: PackedVersion) => {
    writeFileSync(join(published, 'version'), packed.version)
    writeFileSync(join(published, 'mcp-notes'), source(packed), { mode: 0o755 })
  }
  const environment = { ...ann.machine.environment, PATH: `${bin}:${process.env.PATH}`, PUBLISHED: published }
  const machine = { ...ann.machine, environment }
  publish({ version: '1.0.0', description: 'Reads a note' })
  ann.configure({ mcpServers: { notes: { command: 'uvx', args: ['mcp-notes'] } } })
  {
    await using running = await ann.run({ machine })
    await running.host.accept('notes')
    assert.match(await said(running), /^1\.0\.0/)
  }
  publish({ version: '1.1.0', description: 'Reads any note' })
  await using running = await ann.run({ machine })
  assert.match(await said(running), /^1\.0\.0/)
  const api = apiOf(running)
  const { from, to, changes, digest } = await api.call('planUpdate', { server: 'notes' })
  assert.deepEqual([from, to], ['1.0.0', '1.1.0'])
  assert.deepEqual(
    changes.map(({ name, change, differences }) => [
      name,
      change,
      differences.map(({ before, after }) => [before, after]),
    ]),
    [['read_note', 'changed', [['Reads a note', 'Reads any note']]]],
  )
  assert.match(await said(running), /^1\.0\.0/)
  await assert.rejects(api.call('update', { server: 'notes', digest: 'of another plan' }))
  assert.match(await said(running), /^1\.0\.0/)
  await api.call('update', { server: 'notes', digest })
  assert.match(await said(running), /^1\.1\.0/)
})

/** A server that notes each start with its variable, and declares the updates in a file. */
const replacing = `import ${JSON.stringify(pathToFileURL(programFile(new URL('../programs/replacing.ts', import.meta.url))))}\n`

it('a program that updates itself is kept from it if it declares how, else a person is told', async () => {
  using ann = person({ onDisk: true })
  const itself = (off?: object) => ({ by: 'itself', from: 'npm:x', ...(off && { off }) })
  const off = { MY_UPDATES: 'off' }
  const servers = {
    // declared by the package, by the server, without a variable, and by a variable that steers more than updates
    packaged: { variable: 'MY_UPDATES', updates: itself(off), inPackage: true },
    running: { variable: 'MY_UPDATES', updates: itself(off) },
    stuck: { variable: 'MY_UPDATES', updates: itself() },
    steering: { variable: 'NODE_OPTIONS', updates: itself({ NODE_OPTIONS: '--inspect' }) },
    // the person's configuration stays
    chosen: { variable: 'MY_UPDATES', updates: itself(off), env: { MY_UPDATES: 'on' } },
    hosted: { variable: 'MY_UPDATES', updates: { by: 'host', from: 'npm:x' } },
  }
  const folderOf = (name: string) => join(ann.home, name)
  const compileCache = { NODE_COMPILE_CACHE: process.env.NODE_COMPILE_CACHE ?? '' }
  const entries = Object.entries(servers).map(([name, { inPackage, env, ...says }]: [string, Says]) => {
    const folder = folderOf(name)
    mkdirSync(folder)
    writeFileSync(join(folder, 'server.js'), replacing)
    writeFileSync(join(folder, 'says.json'), JSON.stringify(says))
    const mcp = inPackage ? { updates: says.updates } : {}
    writeFileSync(join(folder, 'package.json'), JSON.stringify({ type: 'module', mcp }))
    const command = { command: process.execPath, args: ['server.js'], cwd: folder }
    return [name, { ...command, env: { ...compileCache, ...env } }] as const
  })
  ann.configure({ mcpServers: Object.fromEntries(entries) })
  await using running = await ann.run()
  const { host } = running
  const question = host.inbox.open.find(({ server }) => server === 'packaged')
  const says = 'It says that it replaces itself with newer versions from npm:x'
  assert.equal(question?.detail.updates, `${says}; MY_UPDATES turns that off`)
  for (const name of Object.keys(servers)) await host.accept(name)
  const starts = (name: string) =>
    readFileSync(join(folderOf(name), 'starts'), 'utf8')
      .split('\n')
      .slice(0, -1)
  const why = (name: string) => host.servers.get(name)?.status.why ?? ''
  assert.deepEqual(
    Object.keys(servers).map((name) => [name, starts(name)]),
    [
      ['packaged', ['off']],
      ['running', ['undefined', 'off']],
      ['stuck', ['undefined']],
      ['steering', ['undefined']],
      ['chosen', ['on']],
      ['hosted', ['undefined']],
    ],
  )
  for (const name of ['packaged', 'running']) assert.equal(why(name), `ready; ${says}; MY_UPDATES turns that off`)
  assert.match(why('stuck'), /names no way to turn that off; a "sandbox" that cannot write its program keeps it/)
  assert.match(why('steering'), /NODE_OPTIONS is not set on its word, as it may be about more than that/)
  assert.match(why('chosen'), /set MY_UPDATES=off under "env" of this server \(.*trunkline\.json:\d+\)/)
  assert.equal(why('hosted'), 'ready')
  // its declaration is remembered for the next start
  await host.servers.get('running')?.restart()
  assert.deepEqual(starts('running'), ['undefined', 'off', 'off'])
})

interface Says {
  readonly variable: string
  readonly updates: object
  readonly inPackage?: boolean
  readonly env?: object
}
