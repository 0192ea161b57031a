import assert from 'node:assert/strict'
import { mkdirSync, readFileSync, statSync, writeFileSync } from 'node:fs'
import { dirname, join } from 'node:path'
import { test } from 'node:test'
import { sampleHome } from '../../../test/config/sample-home.ts'
import { temporaryFolder } from '../../../test/temporary-folder.ts'
import { readJson } from '../../config/document/json.ts'
import { effectiveConfig } from '../../config/effective.ts'
import { readLayer } from '../../config/layers/layer.ts'
import { findPlaces, localFile } from '../../config/places.ts'
import { describeProblem } from '../../config/problem.ts'
import { secretFile } from '../../config/secrets/secret-file.ts'
import { importEdits } from './apply.ts'
import { discover } from './discover.ts'
import type { PlannedServer } from './import-plan.ts'
import { planImport } from './plan.ts'
import { runImport } from './run.ts'
import { shownCommand } from './shown-command.ts'

/** A home with files in it; `/home/ada` in them becomes the folder. */
function home(files: { readonly [path: string]: string } = sampleHome) {
  const folder = temporaryFolder()
  for (const [path, text] of Object.entries(files)) {
    mkdirSync(dirname(join(folder.path, path)), { recursive: true })
    writeFileSync(join(folder.path, path), text.replaceAll('/home/ada', folder.path))
  }
  const machine = { platform: 'linux' as const, home: folder.path, environment: {} }
  const short = (text: string) => text.replaceAll(folder.path, '~')
  return { path: folder.path, machine, short, [Symbol.dispose]: () => folder[Symbol.dispose]() }
}

const nothing = { endpoints: [], present: new Map() }

test('planImport: all clients of a person, joined into one list', async () => {
  using all = home()
  const plan = planImport(await discover(all.machine, join(all.path, 'shop')), nothing)
  assert.deepEqual(
    plan.servers.map(({ name, ticked, project, origins }) =>
      all.short(
        `${ticked ? '+' : '-'} ${name} ${project ?? ''} (${origins.map(({ client, name: there }) => `${client} ${there}`).join(', ')})`,
      ),
    ),
    [
      '+ github  (claude-code github)',
      '+ memory  (claude-code memory)',
      '- postgres ~/shop (claude-code postgres)',
      '- playwright ~/shop (claude-code playwright)',
      '- internal ~/shop (claude-code internal)',
      '+ linear  (claude-desktop linear)',
      '+ files  (claude-desktop files, vscode files, cursor notes, zed notes)',
      '+ perplexity  (vscode perplexity)',
      '- shop-db ~/shop (vscode shop-db)',
      '+ github-cursor  (cursor github)',
      '+ context7  (codex context7)',
      '+ figma  (codex figma)',
      '+ weather  (gemini-cli weather)',
      '+ docs  (gemini-cli docs)',
      '+ events  (gemini-cli events)',
      '+ old  (gemini-cli old)',
      '+ sentry  (windsurf sentry)',
      '+ everything  (opencode everything)',
      '+ jira  (opencode jira)',
      '+ deep  (zed deep)',
      '+ broken  (zed broken)',
      '+ time  (cline time)',
      '+ stream  (cline stream)',
      '+ legacy  (cline legacy)',
      '+ nested  (cline nested)',
      '+ youtrack  (junie youtrack)',
      '+ idea  (junie idea)',
      '+ azure  (copilot-cli azure)',
      '+ learn  (copilot-cli learn)',
      '+ feed  (copilot-cli feed)',
    ],
  )
  assert.deepEqual(plan.problems, [])
})

test('planImport: a wrapped address becomes one, with the headers that the wrapper would have sent', async () => {
  using all = home()
  const plan = planImport(await discover(all.machine), nothing)
  assert.deepEqual(plan.servers.find(({ name }) => name === 'linear')?.entry, {
    url: 'https://mcp.linear.app/mcp',
    headers: { Authorization: 'Bearer lin_api_0123456789abcdefghijklmnop' },
  })
})

test('planImport: this program is left out, by its name and by its address', async () => {
  using all = home({
    ...sampleHome,
    '.cursor/mcp.json':
      '{ "mcpServers": { "all": { "url": "http://127.0.0.1:4173/mcp/server/x" }, "far": { "url": "http://127.0.0.1:41730/mcp" } } }',
  })
  const plan = planImport(await discover(all.machine), { ...nothing, endpoints: ['http://127.0.0.1:4173/mcp'] })
  assert.deepEqual(
    plan.skipped.map(({ origin, why }) => `${origin.client} ${origin.name}: ${why}`),
    ['claude-desktop trunkline: it is this program', 'cursor all: it is this program'],
  )
  assert.ok(plan.servers.some(({ name }) => name === 'far'))
})

test('planImport: decisions become rules for the client in which they were taken', async () => {
  using all = home()
  const plan = planImport(await discover(all.machine, join(all.path, 'shop')), nothing)
  assert.deepEqual(
    plan.rules.map(({ effect, rule, project }) =>
      all.short(`${effect} ${rule.match} ${rule.principal} ${project ?? ''}`.trim()),
    ),
    [
      'allow postgres:query claude-code ~/shop',
      'allow memory:* claude-code',
      'allow github:get_issue claude-code',
      'ask github:create_pull_request claude-code',
      'deny github:delete_repository claude-code',
      'allow files:read_file cursor',
      'allow files:list_directory cursor',
      'allow github-cursor:search_* cursor',
      'allow context7:* codex',
      'ask context7:get-library-docs codex',
      'allow weather:* gemini-cli',
      'allow everything:echo opencode',
      'deny everything:print* opencode',
      'allow files:write zed',
      'allow time:get_current_time cline',
    ],
  )
})

test('planImport: settings that could not be carried over are listed by file and line', async () => {
  using all = home()
  const plan = planImport(await discover(all.machine, join(all.path, 'shop')), nothing)
  assert.deepEqual(
    plan.left.map((one) => all.short(describeProblem(one)).split(' ', 2).join(' ')),
    [
      '~/.claude/settings.json:7: permissions.allow.3',
      '~/.codex/config.toml:24: mcp_servers.figma.http_headers_helper',
      '~/.config/Code/User/mcp.json:5: inputs.1',
      '~/.config/Code/User/mcp.json:14: servers.perplexity.sandboxEnabled',
      '~/.config/Code/User/mcp.json:20: servers.socket.url',
      '~/.config/opencode/opencode.jsonc:6: mcp.everything',
      '~/.config/zed/settings.json:16: context_servers.mcp-server-github.settings',
      '~/.cursor/permissions.json:1: mcpAllowlist.1',
      '~/shop/.mcp.json:7: mcpServers.internal.headersHelper',
      '~/shop/.vscode/mcp.json:3: servers.shop-db',
    ],
  )
})

test('planImport: a disabled server stays disabled, and one disabled in a project only there', async () => {
  using all = home()
  const plan = planImport(await discover(all.machine, join(all.path, 'shop')), nothing)
  const off = plan.servers.filter(({ entry }) => entry.disabled).map(({ name }) => name)
  assert.deepEqual(off, ['internal', 'figma', 'old', 'everything', 'broken', 'stream', 'idea', 'feed'])
})

test('discover: a file of an earlier version of Cline counts only while the newer one is missing', async () => {
  const former = '.config/Code/User/globalStorage/saoudrizwan.claude-dev/settings/cline_mcp_settings.json'
  const newer = '.cline/data/settings/cline_mcp_settings.json'
  const file = (name: string) => `{ "mcpServers": { "${name}": { "command": "x" } } }`
  const found = async (files: { readonly [path: string]: string }) => {
    using all = home(files)
    return (await discover(all.machine)).flatMap(({ client, reading }) =>
      reading.servers.map(({ name }) => `${client} ${name}`),
    )
  }
  assert.deepEqual(await found({ [former]: file('old') }), ['cline old'])
  assert.deepEqual(await found({ [former]: file('old'), [newer]: file('new') }), ['cline new'])
})

test('planImport: a server that is here already is not taken over again', async () => {
  using all = home()
  const present = new Map([
    [
      'mine',
      { command: 'npx', args: ['@modelcontextprotocol/server-memory'], env: { MEMORY_FILE: '${HOME}/memory.json' } },
    ],
  ])
  const plan = planImport(await discover(all.machine), { endpoints: [], present })
  assert.deepEqual(
    plan.skipped.filter(({ origin }) => origin.name === 'memory').map(({ why }) => why),
    ['it is here already as "mine"'],
  )
  assert.ok(!plan.servers.some(({ name }) => name === 'memory'))
})

test('planImport: tools that clients choose differently are denied to the client that hides them', async () => {
  using all = home({
    '.gemini/settings.json': '{ "mcpServers": { "a": { "command": "x", "excludeTools": ["rm"], "timeout": 5 } } }',
    '.cursor/mcp.json': '{ "mcpServers": { "b": { "command": "x" } } }',
    '.codex/config.toml': '[mcp_servers.c]\ncommand = "x"\nenabled_tools = ["ls"]\ntool_timeout_sec = 9\n',
  })
  const plan = planImport(await discover(all.machine), nothing)
  assert.deepEqual(
    plan.servers.map(({ name, entry }) => [name, entry]),
    [['b', { command: 'x', callTimeoutMs: 9_000 }]],
  )
  assert.deepEqual(
    plan.rules.map(({ effect, rule }) => [effect, rule]),
    [['deny', { match: 'b:rm', principal: 'gemini-cli' }]],
  )
  assert.match(
    plan.left.map(describeProblem).join(),
    /config\.toml:1: c offers only some tools there.*; make a profile for this client/,
  )
})

test('planImport: a server has the marks of data of all files that it stands in', async () => {
  using all = home({
    '.gemini/settings.json':
      '{ "mcpServers": { "a": { "command": "x" }, "c": { "command": "z", "data": "private" } } }',
    '.cursor/mcp.json': '{ "mcpServers": { "b": { "command": "x", "data": "untrusted" } } }',
    '.codex/config.toml': '[mcp_servers.c]\ncommand = "x"\ndata = ["private"]\n',
  })
  const { servers } = planImport(await discover(all.machine), nothing)
  assert.deepEqual(
    servers.map(({ entry }) => [entry.command, entry.data]),
    [
      ['x', ['private', 'untrusted']],
      ['z', 'private'],
    ],
  )
})

test('planImport: rules about servers that are not there are left', async () => {
  using all = home({ '.claude/settings.json': '{ "permissions": { "allow": ["mcp__gone__x"], "deny": ["mcp__*"] } }' })
  const plan = planImport(await discover(all.machine), nothing)
  assert.deepEqual(
    plan.rules.map(({ effect, rule }) => `${effect} ${rule.match} ${rule.principal}`),
    ['deny *:* claude-code'],
  )
  assert.match(
    plan.left.map(describeProblem).join(),
    /settings\.json:1: allow gone:x is about a server "gone" that was not found/,
  )
})

test('planImport: inputs of one id in two files are told apart', async () => {
  const file = (description: string, name: string) =>
    JSON.stringify({
      inputs: [{ id: 'key', type: 'pickString', description, options: ['x', 'y'], default: 'x' }],
      servers: { [name]: { command: name, env: { K: '${input:key}' } } },
    })
  using all = home({ '.config/Code/User/mcp.json': file('One', 'a'), 'shop/.vscode/mcp.json': file('Two', 'b') })
  const plan = planImport(await discover(all.machine, join(all.path, 'shop')), nothing)
  assert.deepEqual(
    plan.inputs.map(({ id, description }) => [id, description]),
    [
      ['key', 'One'],
      ['key-vscode', 'Two'],
    ],
  )
  assert.deepEqual(
    plan.servers.map(({ entry }) => entry.env?.K),
    ['${input:key}', '${input:key-vscode}'],
  )
  const { user } = importEdits(plan, { servers: new Set(['a']), moveSecrets: false, rules: false })
  const [input] = user.filter(({ path }) => path[0] === 'inputs')
  const value = { id: 'key', type: 'pickString', description: 'One', default: 'x', options: ['x', 'y'] }
  assert.deepEqual(input, { path: ['inputs'], append: value })
})

test('planImport: a broken file is named, and the others are used', async () => {
  using all = home({
    ...sampleHome,
    '.cursor/mcp.json': '{ "mcpServers": { "a": { "command": "x" }, ',
    '.codex/config.toml': 'a = ',
  })
  const plan = planImport(await discover(all.machine), nothing)
  assert.deepEqual(
    plan.problems.map((one) => all.short(describeProblem(one))),
    [
      '~/.cursor/mcp.json:1: is not JSON here (property name expected); write a key in double quotes',
      '~/.codex/config.toml:1: is not TOML here (unspecified values are invalid); mend that line; nothing of the file is used until then',
    ],
  )
  assert.ok(plan.servers.some(({ name }) => name === 'sentry'))
})

test('runImport: the chosen parts are written, secrets are kept apart, and all of it counts afterwards', async () => {
  using all = home()
  const project = join(all.path, 'shop')
  const places = findPlaces(all.machine)
  const own = '{\n  // mine\n  "host": { "port": 5000 }\n}\n'
  mkdirSync(places.config, { recursive: true })
  writeFileSync(places.userFile, own)
  const plan = planImport(await discover(all.machine, project), nothing)
  assert.deepEqual(
    plan.servers.flatMap(({ secrets }) => secrets.map(({ name, why }) => `${name}: ${why}`)),
    ['github.Authorization: it looks like a GitHub token', 'linear.Authorization: it looks like a Linear key'],
  )
  const chosen = new Set(['github', 'linear', 'perplexity', 'files', 'postgres'])
  const secrets = secretFile(places.secretsFile)
  const written = await runImport(
    importEdits(plan, { servers: chosen, moveSecrets: true, rules: true }),
    places,
    secrets,
  )
  assert.deepEqual(written, [places.userFile, localFile(places, project)])
  assert.equal(await secrets.get('github.Authorization'), 'ghp_0123456789abcdefghijklmnopqrstuvwxyz')
  const text = readFileSync(places.userFile, 'utf8')
  assert.ok(text.startsWith('{\n  // mine\n  "host": { "port": 5000 },\n'))
  assert.doesNotMatch(text, /ghp_|lin_api_/)
  const layer = (name: 'user' | 'local', file: string) => readLayer(name, readJson(file, readFileSync(file, 'utf8')))
  const config = effectiveConfig(
    [layer('user', places.userFile), layer('local', localFile(places, project))],
    () => false,
  )
  assert.deepEqual(config.problems, [])
  assert.deepEqual(new Set(config.servers.map(({ name }) => name)), chosen)
  assert.equal(config.settings.mcpServers?.github?.headers?.Authorization, 'Bearer ${secret:github.Authorization}')
  assert.deepEqual(
    config.settings.inputs?.map(({ id, password }) => [id, password]),
    [['perplexity-key', true]],
  )
  assert.equal(config.rules.length, 7)
  assert.equal(statSync(localFile(places, project)).mode & 0o777, 0o600)
})

test('runImport: a broken file of ours stops it before anything is kept', async () => {
  using all = home()
  const places = findPlaces(all.machine)
  mkdirSync(places.config, { recursive: true })
  writeFileSync(places.userFile, '{ broken')
  const plan = planImport(await discover(all.machine), nothing)
  const edits = importEdits(plan, { servers: new Set(['github']), moveSecrets: true, rules: true })
  const secrets = secretFile(places.secretsFile)
  await assert.rejects(
    runImport(edits, places, secrets),
    /Cannot edit the configuration: .*trunkline\.json:1: is not JSON here/,
  )
  assert.deepEqual(await secrets.names(), [])
  assert.equal(readFileSync(places.userFile, 'utf8'), '{ broken')
})

test('shownCommand: every word is one word, and no secret is shown however it is written', () => {
  const secrets = [{ name: 'token', value: 'a "b" c' }] as unknown as PlannedServer['secrets']
  const entry = { command: 'node', args: ['my server.js', '--token=a "b" c'] }
  assert.equal(shownCommand({ entry, secrets }), 'node "my server.js" "--token=…"')
  const url = 'https://example.com/?key=a "b" c'
  assert.equal(shownCommand({ entry: { url }, secrets }), 'https://example.com/?key=…')
})
