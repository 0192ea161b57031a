import assert from 'node:assert/strict'
import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { test } from 'node:test'
import type { Machine } from '../config/machine.ts'
import type { Fact, KnownClient } from './client.ts'
import { placeFiles } from './client-files.ts'
import { clients, findClient } from './clients.ts'
import { writableFormats } from './formats.ts'

const linux: Machine = { platform: 'linux', home: '/home/ada', environment: {} }
const mac: Machine = { platform: 'darwin', home: '/Users/ada', environment: {} }
const windows: Machine = {
  platform: 'win32',
  home: 'C:\\Users\\ada',
  environment: { APPDATA: 'C:\\Users\\ada\\AppData\\Roaming' },
}

function factsOf(client: KnownClient): [string, Fact<unknown>][] {
  return Object.entries(client).filter((entry): entry is [string, Fact<unknown>] => typeof entry[1] === 'object')
}

function locations(id: string, machine: Machine, project?: string): string[] {
  const client = findClient(id)
  assert.ok(client)
  return placeFiles(client, machine, project).map(({ location }) => location)
}

test('clients: every fact has an address where it was read and the day', () => {
  for (const client of clients) {
    for (const [key, { source, on }] of factsOf(client)) {
      assert.match(source, /^https:\/\/\S+$/, `${client.id} ${key}`)
      assert.match(on, /^20\d\d-\d\d-\d\d$/, `${client.id} ${key}`)
      assert.ok(Date.parse(on) < Date.now(), `${client.id} ${key}`)
    }
  }
})

test('clients: ids are unique, and every client has a file for the user', () => {
  assert.equal(new Set(clients.map(({ id }) => id)).size, 12)
  for (const { id, files } of clients)
    assert.ok(
      files.value.some(({ scope }) => scope === 'user'),
      id,
    )
})

test('findClient: an unknown client is undefined', () => {
  assert.equal(findClient('emacs'), undefined)
})

test('placeFiles: user files by platform', () => {
  assert.deepEqual(locations('claude-desktop', linux), ['/home/ada/.config/Claude/claude_desktop_config.json'])
  assert.deepEqual(locations('claude-desktop', mac), [
    '/Users/ada/Library/Application Support/Claude/claude_desktop_config.json',
  ])
  assert.deepEqual(locations('claude-desktop', windows), [
    'C:\\Users\\ada\\AppData\\Roaming\\Claude\\claude_desktop_config.json',
  ])
  assert.deepEqual(locations('cursor', windows), [
    'C:\\Users\\ada\\.cursor\\mcp.json',
    'C:\\Users\\ada\\.cursor\\permissions.json',
  ])
})

test('placeFiles: Zed, Cline, Junie and Copilot CLI', () => {
  assert.deepEqual(locations('zed', mac, '/work/shop'), [
    '/Users/ada/.config/zed/settings.json',
    '/work/shop/.zed/settings.json',
  ])
  assert.deepEqual(locations('zed', windows), ['C:\\Users\\ada\\AppData\\Roaming\\Zed\\settings.json'])
  assert.deepEqual(locations('zed', { ...linux, environment: { XDG_CONFIG_HOME: '/x' } }), ['/x/zed/settings.json'])
  assert.deepEqual(locations('cline', windows), [
    'C:\\Users\\ada\\.cline\\data\\settings\\cline_mcp_settings.json',
    'C:\\Users\\ada\\AppData\\Roaming\\Code\\User\\globalStorage\\saoudrizwan.claude-dev\\settings\\cline_mcp_settings.json',
  ])
  assert.deepEqual(locations('junie', linux, '/work/shop'), [
    '/home/ada/.junie/mcp/mcp.json',
    '/work/shop/.junie/mcp/mcp.json',
  ])
  assert.deepEqual(
    locations('copilot-cli', { ...linux, environment: { COPILOT_HOME: '/opt/copilot' } }, '/work/shop'),
    ['/opt/copilot/mcp-config.json', '/work/shop/.github/mcp.json', '/opt/copilot/settings.json'],
  )
})

test('placeFiles: of several variables the first that is set counts', () => {
  const placed = (environment: Machine['environment']) => locations('cline', { ...linux, environment })[0]
  const [CLINE_DIR, CLINE_DATA_DIR, CLINE_MCP_SETTINGS_PATH] = ['/opt/cline', '/opt/data', '/opt/mine.json']
  assert.equal(placed({ CLINE_DIR }), '/opt/cline/data/settings/cline_mcp_settings.json')
  assert.equal(placed({ CLINE_DIR, CLINE_DATA_DIR }), '/opt/data/settings/cline_mcp_settings.json')
  assert.equal(placed({ CLINE_DIR, CLINE_DATA_DIR, CLINE_MCP_SETTINGS_PATH }), '/opt/mine.json')
})

test('placeFiles: without APPDATA the usual folder is taken', () => {
  const bare = { ...windows, environment: {} }
  assert.equal(locations('vscode', bare)[0], 'C:\\Users\\ada\\AppData\\Roaming\\Code\\User\\mcp.json')
})

test('placeFiles: project files only with a project', () => {
  assert.deepEqual(locations('vscode', mac, '/work/shop'), [
    '/Users/ada/Library/Application Support/Code/User/mcp.json',
    '/work/shop/.vscode/mcp.json',
  ])
})

test('placeFiles: variables move folders', () => {
  const moved = { CODEX_HOME: '/opt/codex', XDG_CONFIG_HOME: '/opt/xdg', CLAUDE_CONFIG_DIR: '/opt/claude' }
  const machine = { ...linux, environment: moved }
  assert.deepEqual(locations('codex', machine), ['/opt/codex/config.toml'])
  assert.deepEqual(locations('opencode', machine), [
    '/opt/xdg/opencode/opencode.json',
    '/opt/xdg/opencode/opencode.jsonc',
  ])
  assert.deepEqual(locations('claude-code', machine), ['/opt/claude/.claude.json', '/opt/claude/settings.json'])
})

test('clients: the README names each, and the page about the host its files too', () => {
  const root = join(import.meta.dirname, '../../../..')
  const readme = readFileSync(join(root, 'README.md'), 'utf8').replaceAll('\n', ' ')
  const titles = clients.map(({ title }) => title)
  assert.ok(readme.includes(`connects ${titles.slice(0, -1).join(', ')} and ${titles.at(-1)}:`), 'README.md')
  const page = readFileSync(join(root, 'docs/host.md'), 'utf8')
  const [, section = ''] = page.split('### Clients that init and install know')
  const rows = section.split('\n## ', 1)[0]?.match(/^\| .*`.*\|$/gm) ?? []
  const written = new Set<string>(writableFormats.map(({ id }) => id))
  assert.deepEqual(
    rows.map((row) => row.split('|').map((cell) => cell.trim())),
    clients.map(({ id, title, files }) => {
      const paths = (isOfUser: boolean) =>
        files.value
          .filter(({ scope, format }) => written.has(format) && (scope === 'user') === isOfUser)
          .map(({ path }) => `\`${typeof path === 'string' ? path : path.linux}\``)
          .join(', ')
      return ['', title, `\`${id}\``, paths(true), paths(false), '']
    }),
  )
})
