/**
 * Writes the fixtures of a version by using it: clients, servers, questions, rules, reads and writes, locks and install
 * records. Run it with the sources of that version: `node packages/host/test/upgrade/make-fixtures.ts VERSION`.
 */
import { once } from 'node:events'
import { cpSync, mkdirSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { DatabaseSync } from 'node:sqlite'
import { setTimeout as wait } from 'node:timers/promises'
import { gzipSync } from 'node:zlib'
import type { ApiClient } from '@trunkline/host/api'
import { type Client, connect } from '@trunkline/mcp'
import { sourcesPath } from '../../../cli/test/command-path.ts'
import { acceptServer, apiOf, callAndAnswer } from '../../../cli/test/host/host-api.ts'
import { type HostHome, hostHome } from '../../../cli/test/host/host-home.ts'
import { inTerminal } from '../../../cli/test/tmux.ts'
import { fixtures, program, upgradeFolder } from './upgraded-home.ts'

const [version = ''] = process.argv.slice(2)
if (version === '') throw new Error('Cannot make fixtures: name the version, as in make-fixtures.ts 0.1.0')

const server = (more: object = {}) => ({ command: 'node', args: [join(upgradeFolder, 'notes.cjs')], ...more })

const userFile = {
  mcpServers: {
    notes: server(),
    diary: server({ data: 'private' }),
    web: server({ data: 'untrusted' }),
    mail: server(),
    later: server(),
  },
  policy: { allow: [`notes:write_note{path~${upgradeFolder}/shop/notes/**}`], deny: ['notes:shred_note'] },
  profiles: { reading: { description: 'Only reading', tools: ['*:read_note'] } },
  ledger: { keepDays: 3650, chainDays: 36_500 },
}

/** Settings for the whole host stand in a project's file as well. */
const projectFile = {
  mcpServers: { tracker: server() },
  policy: { allow: ['tracker:write_note'], deny: [`notes:write_note{path~${upgradeFolder}/shop/secret/**}`] },
  host: { callsPerMinute: 3000, maxResultKb: 4096, port: 4999 },
  ledger: { record: 'shape' },
  pipe: { maxSteps: 10 },
  models: { small: { provider: 'ollama', name: 'small' } },
  model: { use: 'small' },
}

const cursorFile = { mcpServers: { notes: { command: 'node', args: [join(upgradeFolder, 'notes.cjs'), '--old'] } } }

rmSync(upgradeFolder, { recursive: true, force: true })
mkdirSync(upgradeFolder, { recursive: true })
cpSync(program, join(upgradeFolder, 'notes.cjs'))
{
  await using at = hostHome(upgradeFolder)
  at.configure(userFile)
  writeFileSync(join(at.project, 'trunkline.json'), `${JSON.stringify(projectFile, null, 2)}\n`)
  mkdirSync(join(at.home, '.cursor'))
  writeFileSync(join(at.home, '.cursor/mcp.json'), `${JSON.stringify(cursorFile, null, 2)}\n`)
  const tokens = await use(at)
  keep(at, tokens)
}

async function use(at: HostHome): Promise<{ readonly [client: string]: string }> {
  await connectCursor(at)
  const { child } = await at.up()
  const api = apiOf(at)
  await acceptProject(api)
  for (const name of ['notes', 'diary', 'web', 'mail', 'tracker']) await acceptServer(api, name)
  const tokens: { [client: string]: string } = {}
  for (const [name, isApprover] of Object.entries({ editor: false, chatting: true, reader: false, gone: false }))
    tokens[name] = (await api.call('addClient', { name, isApprover })).token
  await said(at, 'clients', 'revoke', 'gone')
  await said(at, 'lock')
  const { mcp } = await api.call('status')
  const dial = (name: string) =>
    connect(new URL(mcp), { http: { headers: { authorization: `Bearer ${tokens[name]}` } } })
  await work(api, await dial('editor'), await dial('reader'))
  await said(at, 'audit', 'verify')
  await said(at, 'audit', 'export', '-o', join(at.project, 'ledger.jsonl'))
  const editor = await dial('editor')
  editor.tools.call('mail__delete_note', { path: 'open' }).catch(() => {})
  await questionOf(api, 'call')
  // the machine lost its power with a call under way
  const gone = once(child, 'exit')
  child.kill('SIGKILL')
  await gone
  return tokens
}

/** Reads, writes, refusals, and rules by "always"; "reader" has then read private and untrusted data. */
async function work(api: ApiClient, editor: Client, reader: Client): Promise<void> {
  for (let count = 0; count < 6; count += 1) await editor.tools.call('notes__read_note', { path: `notes/${count}` })
  await editor.tools.call('notes__write_note', { path: `${upgradeFolder}/shop/notes/allowed` })
  await editor.tools.call('notes__shred_note', { path: 'denied' })
  await editor.tools.call('tracker__write_note', { path: 'issue' })
  for (const [tool, choice] of [
    ['notes__write_note', 'always'],
    ['notes__delete_note', 'always'],
    ['mail__delete_note', 'once'],
    ['mail__delete_note', 'refuse'],
    ['mail__write_note', 'session'],
  ] as const)
    await callAndAnswer(api, editor, { tool, args: { path: choice } }, choice)
  for (const server of ['diary', 'web']) await reader.tools.call(`${server}__read_note`, { path: 'read' })
}

async function connectCursor(at: HostHome): Promise<void> {
  await using terminal = await inTerminal(['install', 'cursor'], { HOME: at.home, TRUNKLINE_HOST_PORT: '0' })
  await terminal.until(/Write it\?/)
  await terminal.answer('y')
  await terminal.until(/exit:0/)
}

async function acceptProject(api: ApiClient): Promise<void> {
  const { id } = await questionOf(api, 'file')
  await api.call('answer', { id, choice: 'once', door: 'terminal' })
}

async function questionOf(api: ApiClient, kind: string) {
  for (;;) {
    const found = (await api.call('inbox')).items.find((question) => question.kind === kind)
    if (found) return found
    await wait(20)
  }
}

async function said(at: HostHome, ...words: readonly string[]): Promise<void> {
  const { exit, stderr } = await at.run(...words)
  if (exit !== 0) throw new Error(`Cannot make fixtures: "trunkline ${words.join(' ')}" failed: ${stderr}`)
}

/** Keeps the folder; the store is packed, and in texts the paths of this machine are replaced. */
function keep(at: HostHome, tokens: object): void {
  const to = join(fixtures, version)
  rmSync(to, { recursive: true, force: true })
  const state = join(at.home, '.local/state/trunkline')
  const database = new DatabaseSync(join(state, 'trunkline.db'))
  database.exec('PRAGMA wal_checkpoint(TRUNCATE); VACUUM')
  database.close()
  const isLeftOut = (path: string) =>
    /\/\.cache$|\/running\.json$|\/notes\.cjs$|\/process-mark$|\/trunkline\.db[-.]/.test(path)
  cpSync(upgradeFolder, to, { recursive: true, filter: (path) => !isLeftOut(path) })
  const store = join(to, 'home/.local/state/trunkline/trunkline.db')
  writeFileSync(`${store}.gz`, gzipSync(readFileSync(store), { level: 9 }))
  rmSync(store)
  for (const file of readdirSync(to, { recursive: true, encoding: 'utf8' }).filter((name) => /\.jsonl?$/.test(name))) {
    const text = readFileSync(join(to, file), 'utf8')
    writeFileSync(
      join(to, file),
      text.replaceAll(process.execPath, '/usr/bin/node').replaceAll(sourcesPath, '/usr/lib/trunkline/bin/trunkline.js'),
    )
  }
  writeFileSync(join(to, 'made.json'), `${JSON.stringify({ at: Date.now(), tokens }, null, 2)}\n`)
}
