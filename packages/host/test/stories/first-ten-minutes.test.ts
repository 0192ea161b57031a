import assert from 'node:assert/strict'
import { existsSync, mkdirSync, readFileSync, writeFileSync } from 'node:fs'
import { dirname, join } from 'node:path'
import { it } from 'node:test'
import { connect } from '@trunkline/mcp'
import { type HostHome, hostHome, upstreamEntry } from '../../../cli/test/host/host-home.ts'
import { inTerminal } from '../../../cli/test/tmux.ts'
import type { KnownClient } from '../../src/clients/client.ts'
import { placeFiles } from '../../src/clients/client-files.ts'
import { clients } from '../../src/clients/clients.ts'
import { readDocument, writableFormats } from '../../src/clients/formats.ts'
import { textOf } from '../gateway/running-host.ts'

/** The servers of three editors, as their files have them. */
const editors = {
  cursor: { file: '.cursor/mcp.json', format: 'cursor', servers: ['notes', 'mail', 'calendar', 'wiki', 'tickets'] },
  'claude-desktop': {
    file: '.config/Claude/claude_desktop_config.json',
    format: 'claude-desktop',
    servers: ['search', 'maps', 'weather', 'music'],
  },
  codex: { file: '.codex/config.toml', format: 'codex', servers: ['database', 'builds', 'reviews'] },
} as const

const { command, args } = upstreamEntry

function written(format: string, servers: readonly string[]): string {
  if (format !== 'codex') {
    const mcpServers = Object.fromEntries(servers.map((name) => [name, { command, args, env: { NAME: name } }]))
    return `${JSON.stringify({ mcpServers }, null, 4)}\n`
  }
  const tables = servers.map(
    (name) =>
      `[mcp_servers.${name}]\ncommand = "${command}"\nargs = ${JSON.stringify(args)}\nenv = { NAME = "${name}" }\n`,
  )
  return `model = "x" # mine\n\n${tables.join('\n')}`
}

/** The entry that the file of a client has now and did not have before. */
function ownEntry(client: KnownClient, { home }: HostHome) {
  const machine = { platform: process.platform, home, environment: {} }
  for (const { format: id, location: file, scope } of placeFiles(client, machine)) {
    const format = writableFormats.find((one) => one.id === id)
    if (scope !== 'user' || !format || !existsSync(file)) continue
    const { servers } = format.read(readDocument(format, file, readFileSync(file, 'utf8')))
    const found = servers.find(({ name }) => name === 'trunkline')
    if (found) return { file, entry: found.entry }
  }
  return assert.fail(`no file of "${client.id}" names the host`)
}

/** Types words as a person does once they could read the question. */
async function decide(at: HostHome, words: readonly string[], question: RegExp): Promise<void> {
  await using terminal = await inTerminal(words, { HOME: at.home, TRUNKLINE_HOST_PORT: '0' })
  await terminal.until(question)
  await terminal.answer('y')
  await terminal.until(/exit:0/)
}

it('the first ten minutes: twelve servers of three editors to the first call of every known client with two decisions, and every tool keeps its name', async () => {
  await using at = hostHome()
  const files = Object.values(editors).map(({ file, format, servers }) => {
    const path = join(at.home, file)
    mkdirSync(dirname(path), { recursive: true })
    writeFileSync(path, written(format, servers))
    return { path, text: readFileSync(path, 'utf8') }
  })
  const others: string[] = []
  await using direct = await connect({ command, args: [...args] })
  const before = (await direct.tools.list().all()).map(({ name }) => name)

  // it shows every command, and when they have started every tool's class
  await decide(at, ['init'], /Take 12 servers over\? \[y\/o\/n\]/)
  await decide(at, ['install', ...clients.map(({ id }) => id)], /Write it\? \[y\/c\/n\]/)

  const env = Object.fromEntries(Object.entries(at.env).flatMap(([name, value]) => (value ? [[name, value]] : [])))
  for (const { file, format: id, servers } of Object.values(editors)) {
    const format = writableFormats.find((one) => one.id === id)
    assert.ok(format)
    const path = join(at.home, file)
    const entries = format.read(readDocument(format, path, readFileSync(path, 'utf8'))).servers
    assert.deepEqual(entries.map(({ name }) => name).sort(), [...servers].sort())
    for (const { entry } of entries) {
      // started as the editor starts the entry in its file
      await using mcp = await connect({
        command: entry.command ?? '',
        args: [...(entry.args ?? [])],
        env,
        cwd: at.project,
      })
      assert.deepEqual((await mcp.tools.list().all()).map(({ name }) => name).sort(), [...before].sort())
      assert.equal(textOf(await mcp.tools.call('echo', { text: 'hello' })), 'hello')
    }
  }
  // every other client that is known starts with nothing, and gets all of them under names it can take
  for (const client of clients.filter(({ id }) => !(id in editors))) {
    const { file, entry } = ownEntry(client, at)
    others.push(file)
    await using mcp = await connect({
      command: entry.command ?? '',
      args: [...(entry.args ?? [])],
      env,
      cwd: at.project,
    })
    const names = (await mcp.tools.list().all()).map(({ name }) => name)
    const all = Object.values(editors).flatMap(({ servers }) => servers)
    assert.deepEqual(
      all.filter((server) => !names.includes(`${server}__echo`)),
      [],
      client.id,
    )
    assert.equal(textOf(await mcp.tools.call('wiki__echo', { text: client.id })), client.id)
  }
  // no written entry is taken for one of theirs
  const again = JSON.parse((await at.run('init', '--json')).stdout)
  assert.deepEqual([again.servers, again.rules, again.left], [[], [], []])
  const { exit, stdout } = await at.run('uninstall', '--json', ...clients.map(({ id }) => id))
  assert.deepEqual([exit, JSON.parse(stdout).clients.length], [0, clients.length])
  for (const file of others) assert.equal(existsSync(file), false, `${file} was not there before`)
  for (const { path, text } of files) assert.equal(readFileSync(path, 'utf8'), text, 'as if nothing had happened')
})
