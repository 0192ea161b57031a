import assert from 'node:assert/strict'
import { mkdirSync, renameSync, rmSync, writeFileSync } from 'node:fs'
import { dirname, join } from 'node:path'
import { test } from 'node:test'
import { temporaryFolder } from '../../test/temporary-folder.ts'
import { Config, type ConfigChange } from './config.ts'
import { findPlaces, localFile } from './places.ts'
import { describeProblem } from './problem.ts'

function setUp(accepted = new Set<string>()) {
  const folder = temporaryFolder()
  const machine = {
    platform: 'linux' as const,
    home: folder.path,
    environment: { TRUNKLINE_HOME: join(folder.path, 't') },
  }
  const places = findPlaces(machine)
  const project = join(folder.path, 'shop')
  mkdirSync(project)
  const config = new Config({ places, machine, isAccepted: ({ hash }) => accepted.has(hash), everyMs: 5 })
  const write = (path: string, value: unknown) => {
    mkdirSync(dirname(path), { recursive: true })
    writeFileSync(path, typeof value === 'string' ? value : JSON.stringify(value))
  }
  const changed = () =>
    new Promise<ConfigChange>((resolve) => {
      const stop = config.onChange((change) => {
        stop()
        resolve(change)
      })
    })
  const end = () => {
    config[Symbol.dispose]()
    folder[Symbol.dispose]()
  }
  return { config, places, project, write, changed, [Symbol.dispose]: end }
}

const commandOf = async (config: Config, project?: string) => {
  const { servers } = await config.effective(project)
  return servers.map(({ name, entry }) => `${name}=${entry.command}`).join(' ')
}

test('Config: no file at all is an empty configuration', async () => {
  using all = setUp()
  const { settings, servers, problems } = await all.config.effective(all.project)
  assert.deepEqual([settings, servers, problems], [{}, [], []])
})

test('Config: user, project and local files, each project for itself', async () => {
  const accepted = new Set<string>()
  using all = setUp(accepted)
  const { config, places, project, write } = all
  write(places.userFile, { mcpServers: { a: { command: 'user' } } })
  write(join(project, 'trunkline.json'), { mcpServers: { b: { command: 'project' } } })
  write(localFile(places, project), { mcpServers: { a: { command: 'local' } } })
  assert.equal(await commandOf(config), 'a=user')
  assert.equal(await commandOf(config, project), 'a=local')
  const { waiting } = await config.effective(project)
  for (const { hash } of waiting) accepted.add(hash)
  config.refresh()
  assert.equal(await commandOf(config, project), 'b=project a=local')
  assert.equal(await commandOf(config, '/elsewhere'), 'a=user')
})

test('Config: a changed file counts, also when it is new, replaced or removed', async () => {
  using all = setUp()
  const { config, places, write, changed } = all
  assert.equal(await commandOf(config), '')
  let told = changed()
  write(places.userFile, { mcpServers: { a: { command: 'new' } } })
  assert.deepEqual((await told).files, [places.userFile])
  assert.equal(await commandOf(config), 'a=new')
  told = changed()
  write(`${places.userFile}.tmp`, { mcpServers: { a: { command: 'replaced' } } })
  renameSync(`${places.userFile}.tmp`, places.userFile)
  await told
  assert.equal(await commandOf(config), 'a=replaced')
  told = changed()
  rmSync(places.userFile)
  await told
  assert.equal(await commandOf(config), '')
})

test('Config: a broken file keeps its last good content in effect, and says so', async () => {
  using all = setUp()
  const { config, places, write, changed } = all
  write(places.userFile, { mcpServers: { a: { command: 'good' } }, policy: { deny: ['x:y'] } })
  assert.equal(await commandOf(config), 'a=good')
  let told = changed()
  write(places.userFile, '{ "mcpServers": {\n "a": { "command": "half"')
  await told
  assert.equal(await commandOf(config), 'a=good')
  const { problems, rules, partial } = await config.effective()
  assert.equal(rules.length, 1)
  assert.deepEqual(partial, [])
  assert.equal(
    problems.map(describeProblem)[0],
    `${places.userFile}:2: is not JSON here (close brace expected); close the object with }; what the file said before still counts`,
  )
  told = changed()
  write(places.userFile, { mcpServers: { a: { command: 'mended' } } })
  await told
  assert.equal(await commandOf(config), 'a=mended')
  assert.deepEqual((await config.effective()).problems, [])
})

test('Config: a file that is broken from the start counts as far as it was understood, and is named as partial', async () => {
  using all = setUp()
  const { config, places, write } = all
  write(places.userFile, '{ "mcpServers": { "a": { "command": "x" } }, "policy": { "deny": ["x:y"')
  assert.equal(await commandOf(config), 'a=x')
  const { partial, problems } = await config.effective()
  assert.deepEqual(partial, [places.userFile])
  assert.ok(problems.length > 0)
})

test('Config: a list where settings should stand is a broken file, from the start and later', async () => {
  using all = setUp()
  const { config, places, write, changed } = all
  write(places.userFile, '[{ "mcpServers": {} }]')
  const { partial, problems } = await config.effective()
  assert.deepEqual(partial, [places.userFile])
  assert.deepEqual(problems.map(describeProblem), [`${places.userFile}:1: is a list; write a table in braces`])
  let told = changed()
  write(places.userFile, { mcpServers: { a: { command: 'good' } } })
  await told
  told = changed()
  write(places.userFile, '"good"')
  await told
  assert.equal(await commandOf(config), 'a=good')
  const later = (await config.effective()).problems.map(describeProblem).join()
  assert.match(later, /is a text; write a table in braces; what the file said before still counts$/)
})

test('Config: a file that cannot be read is named', async () => {
  using all = setUp()
  const { config, places } = all
  mkdirSync(places.userFile, { recursive: true })
  const { problems } = await config.effective()
  assert.deepEqual(problems.map(describeProblem), [
    `${places.userFile}:1: cannot be read (EISDIR); make it readable for you; it is left out until then`,
  ])
})

test('Config: another file can be watched too', async () => {
  using all = setUp()
  const { config, places, write, changed } = all
  await config.watchAlso(places.secretsFile)
  const told = changed()
  write(places.secretsFile, '{}')
  assert.deepEqual((await told).files, [places.secretsFile])
})

test('Config: many projects are not all kept, and each still counts', async () => {
  using all = setUp()
  const { config, places, write, project } = all
  write(places.userFile, { mcpServers: { a: { command: 'user' } } })
  write(localFile(places, project), { mcpServers: { a: { command: 'local' } } })
  for (let at = 0; at < 200; at++) await config.effective(`/p/${at}`)
  assert.equal(await commandOf(config, project), 'a=local')
  assert.equal(await commandOf(config, '/p/0'), 'a=user')
  assert.equal(config.watchedFiles, 1 + 2 * 64)
})

test('Config: lock files that are no longer of interest are no longer looked at', async () => {
  using at = setUp()
  await at.config.effective(at.project)
  const before = at.config.watchedFiles
  await at.config.watchLocks([join(at.project, 'trunkline.lock'), join(at.project, 'other.lock')])
  assert.equal(at.config.watchedFiles, before + 2)
  await at.config.watchLocks([join(at.project, 'trunkline.lock')])
  assert.equal(at.config.watchedFiles, before + 1)
})
