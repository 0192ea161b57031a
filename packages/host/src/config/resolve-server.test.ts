import assert from 'node:assert/strict'
import { mkdirSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { test } from 'node:test'
import { temporaryFolder } from '../../test/temporary-folder.ts'
import { readJson } from './document/json.ts'
import { effectiveConfig } from './effective.ts'
import { type LayerName, readLayer } from './layers/layer.ts'
import { type ResolvedServer, resolveServer, type ServerContext } from './resolve-server.ts'
import type { ServerEntry } from './schema/server-entry.ts'

const kept = new Map([
  ['github.TOKEN', 'hidden'],
  ['input.key', 'typed'],
])

const context: ServerContext = {
  environment: { HOME: '/home/ada', REGION: 'eu' },
  secrets: { get: async (name) => kept.get(name) },
  home: '/home/ada',
  workspace: '/work/shop',
}

async function resolved(
  entry: ServerEntry,
  more: Partial<ServerContext> = {},
  layer: LayerName = 'user',
): Promise<ResolvedServer> {
  const document = readJson('/etc/a.json', JSON.stringify({ mcpServers: { a: entry } }, null, 2))
  const [server] = effectiveConfig([readLayer(layer, document)], () => true).servers
  assert.ok(server)
  return resolveServer(server, { ...context, ...more })
}

test('resolveServer: a program with its references replaced', async () => {
  const { launch, needs } = await resolved({
    command: '${userHome}/bin/server',
    args: ['--root', '${workspaceFolder}', '--region=${REGION:-us}'],
    env: { TOKEN: 'secret:github.TOKEN', KEY: '${input:key}', PLAIN: 'x' },
    cwd: 'sub',
  })
  assert.deepEqual(needs, [])
  assert.deepEqual(launch, {
    type: 'stdio',
    command: '/home/ada/bin/server',
    args: ['--root', '/work/shop', '--region=eu'],
    env: { TOKEN: 'hidden', KEY: 'typed', PLAIN: 'x' },
    cwd: '/work/shop/sub',
  })
})

test('resolveServer: a whole command line as the program is said so; a path with spaces is one', async () => {
  const { launch, needs } = await resolved({ command: 'npx -y some-server' })
  assert.equal(launch, undefined)
  assert.deepEqual(needs, [
    'command holds a whole command line; write the program alone and its words in "args" (/etc/a.json:4)',
  ])
  assert.deepEqual((await resolved({ command: '/opt/My Tools/server' })).needs, [])
})

test('resolveServer: how to sign in, with its secret', async () => {
  const oauth = {
    clientId: 'shop-${REGION}',
    clientSecret: 'secret:github.TOKEN',
    scopes: ['read'],
    callbackPort: 4100,
  }
  const { launch } = await resolved({ url: 'https://example.com/mcp', oauth })
  const replaced = { ...oauth, clientId: 'shop-eu', clientSecret: 'hidden' }
  assert.deepEqual(launch, { type: 'http', url: 'https://example.com/mcp', headers: {}, oauth: replaced })
  const { needs } = await resolved({ url: 'https://example.com/mcp', oauth: { clientSecret: 'secret:none' } })
  assert.deepEqual(needs, ['there is no secret "none"; keep one: trunkline secret set none (/etc/a.json:6)'])
})

test('resolveServer: an address with headers', async () => {
  const { launch } = await resolved({
    url: 'https://${REGION}.example.com/mcp',
    headers: { Authorization: 'Bearer ${secret:github.TOKEN}' },
  })
  assert.deepEqual(launch, {
    type: 'http',
    url: 'https://eu.example.com/mcp',
    headers: { Authorization: 'Bearer hidden' },
  })
})

test('resolveServer: each thing that is missing is a need with file and line, and nothing is started', async () => {
  const { launch, needs } = await resolved({
    command: 'x',
    args: ['${NOPE}', '${NOPE}'],
    env: { A: 'secret:none', B: '${input:none}' },
  })
  assert.equal(launch, undefined)
  assert.deepEqual(needs, [
    'NOPE is not set (/etc/a.json:6)',
    'NOPE is not set (/etc/a.json:7)',
    'there is no secret "none"; keep one: trunkline secret set none (/etc/a.json:10)',
    'the input "none" was not given; keep it: trunkline secret set input.none (/etc/a.json:11)',
  ])
})

test('resolveServer: a mistake in the entry is a need', async () => {
  const { launch, needs } = await resolved({ command: 'x', args: 'y' } as unknown as ServerEntry)
  assert.equal(launch, undefined)
  assert.deepEqual(needs, ['/etc/a.json:5: mcpServers.a.args is a text; write a list in square brackets'])
})

test('resolveServer: an environment file is read, and its own environment is stronger', async () => {
  using folder = temporaryFolder()
  mkdirSync(join(folder.path, 'sub'))
  writeFileSync(join(folder.path, 'sub', '.env'), 'A=file\nB=file\n')
  const entry = { command: 'x', envFile: '${workspaceFolder}/sub/.env', env: { B: 'entry' } }
  const { launch } = await resolved(entry, { workspace: folder.path })
  assert.deepEqual(launch?.type === 'stdio' && launch.env, { A: 'file', B: 'entry' })
  const path = join(folder.path, 'none')
  const missing = await resolved({ command: 'x', envFile: 'none' }, { workspace: folder.path })
  assert.deepEqual(missing.needs, [`"${path}" cannot be read: ENOENT (/etc/a.json:5)`])
  writeFileSync(path, 'A=1\nwhat\n')
  const bad = await resolved({ command: 'x', envFile: 'none' }, { workspace: folder.path })
  assert.deepEqual(bad.needs, [`${path}:2 is no NAME=value (/etc/a.json:5)`])
})

test('resolveServer: only variables that are set count, no inherited members', async () => {
  const { needs } = await resolved({ command: 'x', args: ['${toString}', '${__proto__}'] })
  assert.equal(needs.length, 2)
})

const sharings: readonly (readonly [entry: ServerEntry, layer: LayerName, sharing: string])[] = [
  [{ command: 'npx', args: ['-y', 'server'] }, 'user', 'shared'],
  [{ command: 'npx', args: ['-y', 'server'] }, 'project', 'project'],
  [{ command: 'npx', args: ['-y', 'server'] }, 'local', 'project'],
  [{ command: './server' }, 'user', 'project'],
  [{ command: 'node', args: ['../x.js'] }, 'user', 'project'],
  [{ command: 'files', args: ['.'] }, 'user', 'project'],
  [{ command: 'files', args: ['${workspaceFolder}'] }, 'user', 'project'],
  [{ command: 'files', cwd: 'sub' }, 'user', 'project'],
  [{ command: 'files', cwd: '/srv' }, 'user', 'shared'],
  [{ url: 'https://x' }, 'project', 'shared'],
  [{ command: './server', sharing: 'shared' }, 'user', 'shared'],
  [{ command: 'x', sharing: 'caller' }, 'user', 'caller'],
]

for (const [entry, layer, sharing] of sharings) {
  test(`resolveServer: ${JSON.stringify(entry)} of the ${layer} is ${sharing}`, async () => {
    assert.equal((await resolved(entry, {}, layer)).sharing, sharing)
  })
}

test('resolveServer: another value of a variable is started differently, the same written otherwise is not', async () => {
  const entry: ServerEntry = { command: 'x', env: { A: '${REGION}' } }
  const { launch } = await resolved(entry)
  assert.notDeepEqual((await resolved(entry, { environment: { REGION: 'us' } })).launch, launch)
  assert.deepEqual((await resolved({ command: 'x', env: { A: 'eu' } })).launch, launch)
})
