import assert from 'node:assert/strict'
import { test } from 'node:test'
import { sampleHome } from '../../test/config/sample-home.ts'
import { wholeFiles } from '../../test/config/whole-files.ts'
import { describeProblem } from '../config/problem.ts'
import { settings } from '../config/schema/settings.ts'
import { claudeCodeFormat, claudeSettingsFormat } from './claude-code.ts'
import { claudeDesktopFormat } from './claude-desktop.ts'
import type { ClientFormat, Reading } from './client-format.ts'
import { clineFormat } from './cline.ts'
import { codexFormat } from './codex.ts'
import { copilotCliFormat, copilotSettingsFormat } from './copilot-cli.ts'
import { cursorFormat, cursorPermissionsFormat } from './cursor.ts'
import { formats, guessFormat, readDocument, writableFormats, writeServer } from './formats.ts'
import { geminiCliFormat } from './gemini-cli.ts'
import { junieFormat } from './junie.ts'
import { mcpJsonFormat } from './mcp-json.ts'
import { opencodeFormat } from './opencode.ts'
import { vscodeFormat } from './vscode.ts'
import { windsurfFormat } from './windsurf.ts'
import { zedFormat } from './zed.ts'

function read(format: ClientFormat, path: keyof typeof sampleHome): Reading {
  const document = readDocument(format, `/home/ada/${path}`, sampleHome[path])
  assert.deepEqual(document.problems, [])
  const reading = format.read(document)
  // for any content of a client's file, the result is an entry of ours
  const mcpServers = Object.fromEntries(reading.servers.map(({ name, entry }) => [name, entry]))
  settings.check({ mcpServers }, [], (misfit) => assert.fail(JSON.stringify(misfit)))
  return reading
}

const entries = ({ servers }: Reading) => Object.fromEntries(servers.map(({ name, entry }) => [name, entry]))
const decisions = ({ rules }: Reading) =>
  rules.map(({ effect, server, tool, place }) => `${place.line} ${effect} ${server}:${tool}`)
const leftovers = ({ left }: Reading) => left.map((one) => describeProblem(one).replace('/home/ada/', ''))

test('claude-code: servers of the user and of a project, decisions and disabled servers', () => {
  const reading = read(claudeCodeFormat, '.claude.json')
  assert.deepEqual(entries(reading), {
    github: {
      url: 'https://api.githubcopilot.com/mcp/',
      headers: { Authorization: 'Bearer ghp_0123456789abcdefghijklmnopqrstuvwxyz' },
    },
    memory: {
      command: 'npx',
      args: ['-y', '@modelcontextprotocol/server-memory'],
      env: { MEMORY_FILE: '${HOME}/memory.json' },
      callTimeoutMs: 120_000,
    },
    postgres: { command: 'uvx', args: ['mcp-postgres', '${DATABASE_URL:-postgres://localhost/shop}'] },
  })
  assert.deepEqual(
    reading.servers.map(({ name, place, project }) => `${name} ${place.line} ${project}`),
    ['github 5 undefined', 'memory 10 undefined', 'postgres 22 /home/ada/shop'],
  )
  assert.deepEqual(decisions(reading), ['20 allow postgres:query'])
  assert.deepEqual(reading.off, [{ server: 'memory', project: '/home/ada/shop' }])
  assert.deepEqual(leftovers(reading), [])
})

test('claude-settings: allow, ask and deny, and a wildcard that means nothing there either', () => {
  const reading = read(claudeSettingsFormat, '.claude/settings.json')
  assert.deepEqual(decisions(reading), [
    '5 allow memory:*',
    '6 allow github:get_issue',
    '9 ask github:create_pull_request',
    '10 deny github:delete_repository',
  ])
  assert.deepEqual(leftovers(reading), [
    '.claude/settings.json:7: permissions.allow.3 is "mcp__*", which counts for nothing there either; write a rule of your own',
  ])
  assert.deepEqual(read(claudeSettingsFormat, 'shop/.claude/settings.local.json').off, [{ server: 'internal' }])
})

test('mcp-json: programs and addresses; a helper for headers is left', () => {
  const reading = read(mcpJsonFormat, 'shop/.mcp.json')
  assert.deepEqual(entries(reading), {
    playwright: { command: 'npx', args: ['@playwright/mcp@latest'] },
    internal: { url: 'https://${TEAM_HOST}/mcp' },
  })
  assert.deepEqual(leftovers(reading), [
    'shop/.mcp.json:7: mcpServers.internal.headersHelper runs a program for headers; write the headers, or sign in through the host',
  ])
})

test('mcp-json: a choice of tools, where * stands for all', () => {
  const text =
    '{ "mcpServers": { "a": { "type": "local", "command": "x", "tools": ["*"] }, "b": { "command": "y", "tools": ["z"] } } }'
  const reading = mcpJsonFormat.read(readDocument(mcpJsonFormat, 'f', text))
  assert.deepEqual(entries(reading), { a: { command: 'x' }, b: { command: 'y', tools: { only: ['z'] } } })
})

test('claude-desktop: nothing is replaced in it', () => {
  const reading = read(claudeDesktopFormat, '.config/Claude/claude_desktop_config.json')
  assert.equal(entries(reading).linear?.args?.[4], 'Authorization: Bearer $${AUTH}')
  assert.deepEqual(Object.keys(entries(reading)), ['linear', 'files', 'trunkline'])
})

test('vscode: servers, inputs, an environment file; sandbox, sockets and commands are left', () => {
  const reading = read(vscodeFormat, '.config/Code/User/mcp.json')
  assert.deepEqual(entries(reading).perplexity, {
    command: 'npx',
    args: ['-y', 'server-perplexity-ask'],
    env: { PERPLEXITY_API_KEY: '${input:perplexity-key}', RETRIES: '3' },
    envFile: '${userHome}/.perplexity.env',
  })
  assert.deepEqual(
    reading.inputs.map(({ id, description, password, place }) => [id, description, password, place.line]),
    [['perplexity-key', 'Perplexity API Key', true, 4]],
  )
  assert.deepEqual(leftovers(reading), [
    '.config/Code/User/mcp.json:14: servers.perplexity.sandboxEnabled runs it in a sandbox; it runs without one here',
    '.config/Code/User/mcp.json:20: servers.socket.url is the address of a socket; start the server by its command instead',
    '.config/Code/User/mcp.json:5: inputs.1 is the answer of a command of the editor; keep it as the secret "input.from-command"',
  ])
  assert.deepEqual(leftovers(read(vscodeFormat, 'shop/.vscode/mcp.json')), [
    'shop/.vscode/mcp.json:3: servers.shop-db refers to ${config:shop.region}, which is not known here; replace it before you start the server',
  ])
})

test('cursor: servers with approvals, and the list of allowed tools', () => {
  const reading = read(cursorFormat, '.cursor/mcp.json')
  assert.deepEqual(entries(reading), {
    github: { url: 'https://api.githubcopilot.com/mcp/', headers: { Authorization: 'Bearer ${env:GITHUB_TOKEN}' } },
    notes: { command: 'npx', args: ['-y', '@modelcontextprotocol/server-filesystem', '/home/ada/notes'] },
  })
  assert.deepEqual(decisions(reading), ['10 allow notes:read_file', '10 allow notes:list_directory'])
  const permissions = read(cursorPermissionsFormat, '.cursor/permissions.json')
  assert.deepEqual(decisions(permissions), ['1 allow github:search_*'])
  assert.match(leftovers(permissions).join(), /mcpAllowlist\.1 is "nonsense", which names no tool of a server/)
})

test('codex: tables, variables by name, time limits, tools and approvals', () => {
  const reading = read(codexFormat, '.codex/config.toml')
  assert.deepEqual(entries(reading), {
    context7: {
      command: 'npx',
      args: ['-y', '@upstash/context7-mcp'],
      env: { CONTEXT7_KEY: '${CONTEXT7_KEY}', LITERAL: '$${NOT_REPLACED}' },
      startTimeoutMs: 20_000,
      callTimeoutMs: 45_500,
      tools: { only: ['resolve-library-id', 'get-library-docs'] },
    },
    figma: {
      url: 'https://mcp.figma.com/mcp',
      disabled: true,
      headers: { 'X-Region': 'us-east-1', 'X-Team': '${FIGMA_TEAM}', Authorization: 'Bearer ${FIGMA_TOKEN}' },
    },
  })
  assert.deepEqual(decisions(reading), ['13 allow context7:*', '16 ask context7:get-library-docs'])
  assert.deepEqual(leftovers(reading), [
    '.codex/config.toml:24: mcp_servers.figma.http_headers_helper runs a program for headers; write the headers, or sign in through the host',
  ])
})

test('gemini-cli: both kinds of address, variables, trust, tools and lists beside', () => {
  const reading = read(geminiCliFormat, '.gemini/settings.json')
  assert.deepEqual(entries(reading), {
    weather: {
      command: 'python',
      args: ['server.py'],
      cwd: './weather',
      env: { API_KEY: '${WEATHER_KEY}' },
      callTimeoutMs: 30_000,
      tools: { only: ['forecast', 'alerts'], except: ['alerts'] },
    },
    docs: { url: 'https://docs.example.com/mcp', headers: { 'X-Key': '${DOCS_KEY}' } },
    events: { url: 'https://events.example.com/sse', type: 'sse' },
    old: { command: 'old', disabled: true },
  })
  assert.deepEqual(decisions(reading), ['11 allow weather:*'])
  assert.deepEqual(leftovers(reading), [])
})

test('windsurf: its own word for the address, and tools that are off', () => {
  assert.deepEqual(entries(read(windsurfFormat, '.codeium/windsurf/mcp_config.json')), {
    sentry: {
      url: 'https://mcp.sentry.dev/mcp',
      headers: { Authorization: 'Bearer ${env:SENTRY_TOKEN}' },
      tools: { except: ['delete_project'] },
    },
  })
})

test('opencode: a command in one list, variables in braces, permissions by joined names', () => {
  const reading = read(opencodeFormat, '.config/opencode/opencode.jsonc')
  assert.deepEqual(entries(reading), {
    everything: {
      command: 'npx',
      args: ['-y', '@modelcontextprotocol/server-everything'],
      env: { KEY: '${EVERYTHING_KEY}', FILE: '{file:~/.key}' },
      disabled: true,
      callTimeoutMs: 10_000,
    },
    jira: { url: 'https://jira.example.com/mcp', oauth: { clientId: 'abc', scopes: ['read', 'write'] } },
  })
  assert.deepEqual(decisions(reading), ['3 allow everything:echo', '3 deny everything:print*'])
  assert.deepEqual(leftovers(reading), [
    '.config/opencode/opencode.jsonc:6: mcp.everything refers to {file:~/.key}, which is not known here; keep what the file holds as a secret',
  ])
})

test('opencode: newer files have one level more', () => {
  const text =
    '{ "mcp": { "timeout": {}, "servers": { "a": { "type": "local", "command": ["x"], "disabled": true, "timeout": { "startup": 5, "request": 6 } } } } }'
  const reading = opencodeFormat.read(readDocument(opencodeFormat, 'x', text))
  assert.deepEqual(entries(reading), {
    a: { command: 'x', args: [], disabled: true, startTimeoutMs: 5, callTimeoutMs: 6 },
  })
})

test('zed: servers among its settings, disabled ones, decisions about tools; servers of extensions are left', () => {
  const reading = read(zedFormat, '.config/zed/settings.json')
  assert.deepEqual(entries(reading), {
    notes: { command: 'npx', args: ['-y', '@modelcontextprotocol/server-filesystem', '/home/ada/notes'], env: {} },
    deep: { url: 'https://deep.example.com/mcp', headers: { 'X-Key': '$${NOT_REPLACED}' }, callTimeoutMs: 90_000 },
    broken: { command: 'broken', args: [], disabled: true },
  })
  assert.deepEqual(decisions(reading), ['5 allow notes:write'])
  assert.deepEqual(leftovers(reading), [
    '.config/zed/settings.json:16: context_servers.mcp-server-github.settings belongs to a server that an extension of Zed starts; add the server by its command',
  ])
})

test('zed: a program as earlier versions wrote it, and how to sign in', () => {
  const { db, corp } = entries(zedFormat.read(readDocument(zedFormat, 'f', wholeFiles.zed)))
  assert.deepEqual(db, { command: '/opt/db-mcp', args: ['--read-only'], env: { PGHOST: 'localhost' } })
  assert.deepEqual(corp, { url: 'https://mcp.corp.example/mcp', oauth: { clientId: 'zed', clientSecret: 's' } })
})

test('cline: flat and nested entries, an address without a type, variables, approvals and disabled servers', () => {
  const reading = read(clineFormat, '.cline/data/settings/cline_mcp_settings.json')
  assert.deepEqual(entries(reading), {
    time: {
      command: 'uvx',
      args: ['mcp-server-time'],
      env: { TZ: '${env:TZ}', LITERAL: '$${TZ}' },
      callTimeoutMs: 30_000,
    },
    stream: { url: 'https://stream.example.com/mcp', disabled: true },
    legacy: { url: 'https://legacy.example.com/sse', type: 'sse' },
    nested: { url: 'https://nested.example.com/mcp', headers: { A: 'b' } },
  })
  assert.deepEqual(decisions(reading), ['8 allow time:get_current_time'])
  assert.deepEqual(leftovers(reading), [])
  assert.deepEqual(entries(clineFormat.read(readDocument(clineFormat, 'f', wholeFiles.cline))).linear, {
    url: 'https://mcp.linear.app/sse',
    type: 'sse',
    disabled: true,
    oauth: { clientId: 'cline' },
  })
})

test('cline: a written entry has the type without which an address is one of HTTP+SSE', () => {
  assert.deepEqual(clineFormat.write({ url: 'https://x/mcp' }), { type: 'streamableHttp', url: 'https://x/mcp' })
  assert.deepEqual(clineFormat.write({ url: 'https://x/sse', type: 'sse' }), { type: 'sse', url: 'https://x/sse' })
})

test('junie: programs and addresses', () => {
  const reading = read(junieFormat, '.junie/mcp/mcp.json')
  assert.deepEqual(entries(reading), {
    youtrack: {
      url: 'https://youtrack.example.com/mcp',
      headers: { Authorization: 'Bearer ${YOUTRACK_TOKEN}' },
    },
    idea: { command: 'idea-mcp', args: ['--stdio'], disabled: true },
  })
  assert.deepEqual(leftovers(reading), [])
})

test('copilot-cli: types, variables, a choice of tools, and servers that its settings turn off', () => {
  const reading = read(copilotCliFormat, '.copilot/mcp-config.json')
  assert.deepEqual(entries(reading), {
    azure: {
      command: 'npx',
      args: ['-y', '@azure/mcp@latest', 'server', 'start'],
      env: { AZURE_TENANT: '${AZURE_TENANT}' },
    },
    learn: { url: 'https://learn.example.com/mcp', callTimeoutMs: 20_000, tools: { only: ['search'] } },
    feed: { url: 'https://feed.example.com/sse', type: 'sse' },
  })
  assert.deepEqual(leftovers(reading), [])
  assert.deepEqual(read(copilotSettingsFormat, '.copilot/settings.json').off, [{ server: 'feed' }])
  const { entra } = entries(copilotCliFormat.read(readDocument(copilotCliFormat, 'f', wholeFiles['copilot-cli'])))
  assert.deepEqual(entra?.oauth, { clientId: 'copilot' })
  assert.deepEqual(entra?.headers, { 'X-Team': '${TEAM:-shop}' })
})

test('copilot-cli: a written entry has a type and all tools', () => {
  assert.deepEqual(copilotCliFormat.write({ command: 'x' }), { type: 'local', command: 'x', tools: ['*'] })
  assert.deepEqual(copilotCliFormat.write({ url: 'https://x' }), { type: 'http', url: 'https://x', tools: ['*'] })
})

test('readServers: marks of data are read as a word or a list, and anything else is named', () => {
  const text = `{ "mcpServers": {
    "a": { "command": "x", "data": "private" },
    "b": { "command": "x", "data": ["untrusted", "private"] },
    "c": { "command": "x", "data": ["untrusted"] },
    "d": { "command": "x", "data": ["private", "secret"] },
    "e": { "command": "x", "data": [] }
  } }`
  const reading = mcpJsonFormat.read(readDocument(mcpJsonFormat, 'f', text))
  assert.deepEqual(entries(reading), {
    a: { command: 'x', data: 'private' },
    b: { command: 'x', data: ['private', 'untrusted'] },
    c: { command: 'x', data: 'untrusted' },
    d: { command: 'x' },
    e: { command: 'x' },
  })
  const left = 'is no mark of data; it is left out; the marks are "private" and "untrusted"'
  assert.deepEqual(leftovers(reading), [`f:5: mcpServers.d.data ${left}`, `f:6: mcpServers.e.data ${left}`])
})

test('readServers: a key that is not known, a wrong type and no program are each named with their line', () => {
  const text = `{ "mcpServers": {
    "a": { "command": "x", "args": "y", "mystery": 1 },
    "b": { "note": "nothing" },
    "c": [],
    "d": { "command": ["x"] },
    "e": { "type": "ws", "url": "https://x" }
  } }`
  const reading = mcpJsonFormat.read(readDocument(mcpJsonFormat, 'f', text))
  assert.deepEqual(entries(reading), { a: { command: 'x' }, e: { url: 'https://x' } })
  assert.deepEqual(leftovers(reading), [
    'f:2: mcpServers.a.args is no list; it is left out',
    'f:2: mcpServers.a.mystery has no meaning here; it is left out',
    'f:3: mcpServers.b.note has no meaning here; it is left out',
    'f:4: mcpServers.c is no table; it is left out',
    'f:5: mcpServers.d names neither a program nor an address; it is left out',
    'f:6: mcpServers.e.type is "ws"; the server is taken for one over HTTP',
  ])
})

test('readServers: a file of another program cannot reach our secrets', () => {
  const env = { A: 'secret:github.TOKEN', B: 'Bearer ${secret:github.TOKEN}', C: '$${secret:x}' }
  const text = JSON.stringify({ mcpServers: { a: { command: 'x', env } } })
  const reading = mcpJsonFormat.read(readDocument(mcpJsonFormat, 'f', text))
  assert.deepEqual(entries(reading).a?.env, {
    A: '${:-secret:github.TOKEN}',
    B: 'Bearer $${secret:github.TOKEN}',
    C: '$${secret:x}',
  })
})

test('guessFormat: by name and by content', () => {
  const expected = {
    '.claude.json': 'claude-code',
    'shop/.mcp.json': 'mcp-json',
    '.config/Claude/claude_desktop_config.json': 'claude-desktop',
    '.config/Code/User/mcp.json': 'vscode',
    '.cursor/mcp.json': 'cursor',
    '.codex/config.toml': 'codex',
    '.gemini/settings.json': 'gemini-cli',
    '.codeium/windsurf/mcp_config.json': 'windsurf',
    '.config/opencode/opencode.jsonc': 'opencode',
    '.config/zed/settings.json': 'zed',
    '.cline/data/settings/cline_mcp_settings.json': 'cline',
    '.junie/mcp/mcp.json': 'junie',
    '.copilot/mcp-config.json': 'copilot-cli',
  } as const
  for (const [path, id] of Object.entries(expected)) {
    assert.equal(guessFormat(`/home/ada/${path}`, sampleHome[path as keyof typeof expected])?.id, id)
  }
  assert.equal(guessFormat('server.json', '{ "name": "a/b", "packages": [] }')?.id, 'registry')
  assert.equal(guessFormat('package.json', '{ "name": "x" }'), undefined)
  assert.equal(new Set(formats.map(({ id }) => id)).size, 17)
})

/** The servers of each whole file, and its unsupported settings. */
const wholeReadings: {
  readonly [Id in Exclude<keyof typeof wholeFiles, 'registry'>]: readonly [servers: string, ...left: string[]]
} = {
  'claude-code': ['sentry asana files db'],
  'claude-desktop': ['Windows Files'],
  vscode: ['io.github.github/github-mcp-server local', '21: servers.local.dev'],
  cursor: ['notion local'],
  codex: ['docs.site db'],
  'gemini-cli': ['maps cloud web', '7: mcpServers.maps.authProviderType', '8: mcpServers.cloud.targetAudience'],
  windsurf: ['figma git', '3: mcpServers.figma.registry'],
  opencode: ['gh db'],
  zed: ['db corp', '13: context_servers.mcp-server-context7.settings'],
  cline: ['github.com/upstash/context7-mcp linear'],
  junie: ['Playwright remote'],
  'copilot-cli': ['playwright entra', '18: mcpServers.entra.oidc'],
  'mcp-json': ['github internal events database browser docs', '14: mcpServers.events.headersHelper'],
}

for (const format of writableFormats.filter(({ id }) => id in wholeFiles)) {
  const id = format.id as keyof typeof wholeReadings
  test(`${id}: a whole file as the client leaves it is read, and written to and back without another byte`, () => {
    const text = wholeFiles[id]
    const document = (current: string) => readDocument(format, 'f', current)
    assert.deepEqual(document(text).problems, [])
    const { servers, left } = format.read(document(text))
    const said = left.map((one) => describeProblem(one).replace(/^f:(\d+: \S+) .*/, '$1'))
    assert.deepEqual([servers.map(({ name }) => name).join(' '), ...said], wholeReadings[id])
    const after = writeServer(format, document(text), 'ours', { command: 'trunkline', args: ['stdio'] })
    assert.equal(format.read(document(after)).servers.length, servers.length + 1)
    assert.equal(writeServer(format, document(after), 'ours', undefined), text)
  })
}

test('mcp-json: a whole file: references, sign-in settings, time limits, approvals and disabled servers', () => {
  const reading = mcpJsonFormat.read(readDocument(mcpJsonFormat, 'f', wholeFiles['mcp-json']))
  const { internal, events, database, docs } = entries(reading)
  assert.deepEqual(internal, {
    url: 'https://${TEAM_HOST:-mcp.corp.example}/mcp',
    callTimeoutMs: 600_000,
    oauth: { clientId: 'internal-tools', callbackPort: 8765 },
  })
  assert.equal(events?.type, 'sse')
  assert.equal(database?.args?.[2], '${DATABASE_URL:-postgres://localhost:5432/shop}')
  assert.equal(docs?.disabled, true)
  assert.deepEqual(decisions(reading), ['24 allow browser:browser_snapshot', '24 allow browser:browser_navigate'])
})

test('whole files: sign-in settings, and the default of an input, are carried over', () => {
  const { servers } = claudeCodeFormat.read(readDocument(claudeCodeFormat, 'f', wholeFiles['claude-code']))
  assert.deepEqual(servers[0]?.entry.oauth, { clientId: 'abc', callbackPort: 8080 })
  const { inputs } = vscodeFormat.read(readDocument(vscodeFormat, 'f', wholeFiles.vscode))
  assert.deepEqual([inputs[0]?.default, inputs[0]?.options], ['eu', ['eu', { label: 'US', value: 'us' }]])
})
