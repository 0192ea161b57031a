import assert from 'node:assert/strict'
import { join } from 'node:path'
import { describe, it } from 'node:test'
import { processMark } from '@trunkline/mcp/stdio'
import { type MacOptions, type MacProcess, macSystem } from '../../../../../tools/lib/macos.ts'
import { temporaryFolder } from '../../../test/temporary-folder.ts'
import { openStore } from '../../store/store.ts'
import { processTables } from '../../store/tables/caller-process-table.ts'
import { callerChain } from './caller-chain.ts'
import { clientProgram } from './client-program.ts'
import { ConnectedProcesses } from './connected-processes.ts'
import { portHolder } from './port-holder.ts'
import { readBootId, seeProcess, withAncestors } from './process-table.ts'
import { processesAt } from './socket-processes.ts'

const node = '/opt/homebrew/bin/node'
const inTerminal = { terminal: 'ttys001', files: { 0: '/dev/ttys001' } }

/** A person at a terminal, an agent of theirs, and an editor that started the bridge. */
const processes: readonly MacProcess[] = [
  { pid: 1, parent: 0, program: '/sbin/launchd' },
  { pid: 400, parent: 1, program: '/System/Applications/Utilities/Terminal.app/Contents/MacOS/Terminal' },
  { pid: 500, parent: 400, program: 'login', args: '-pf ann', leadsSession: true, terminal: 'ttys001' },
  { pid: 501, parent: 500, program: '-zsh', ...inTerminal },
  { pid: 510, parent: 501, program: node, args: '/usr/local/bin/trunkline inbox', ...inTerminal },
  { pid: 520, parent: 501, program: node, args: 'agent.js', ...inTerminal },
  { pid: 521, parent: 520, group: 520, program: node, args: '/usr/local/bin/trunkline inbox', ...inTerminal },
  // a shell whose input is not told
  { pid: 530, parent: 520, program: '/bin/zsh', terminal: 'ttys002' },
  { pid: 531, parent: 530, program: node, args: '/usr/local/bin/trunkline call a', terminal: 'ttys002' },
  {
    pid: 700,
    parent: 1,
    program: '/Applications/Visual Studio Code.app/Contents/MacOS/Electron',
    files: { cwd: '/Users/ann/my site', txt: '/Applications/Visual Studio Code.app/Contents/MacOS/Electron' },
  },
  { pid: 701, parent: 700, program: node, args: '/usr/local/bin/trunkline stdio' },
  // two that servers left, of which the system tells of one
  { pid: 800, parent: 1, program: node, args: 'daemon.js', environment: `HOME=/Users/ann ${processMark}3 PWD=/` },
  { pid: 810, parent: 1, program: '/bin/sh', args: '-c loop' },
  { pid: 811, parent: 810, program: node, args: '/usr/local/bin/trunkline inbox', environment: 'HOME=/' },
]

/** Connections of these processes with the host, at ports that are their numbers and 50000. */
function connected(...pids: readonly number[]): MacOptions {
  const ends = pids.map((pid) => `p${pid}\nf20\nn127.0.0.1:${50_000 + pid}->127.0.0.1:4173\n`)
  const host = `p99\nf9\nn127.0.0.1:4173\nf21\nn127.0.0.1:4173->127.0.0.1:50510\n`
  return { connections: { 4173: [host, ...ends].join('') }, listeners: { 4173: 99 } }
}

const socketOf = (pid: number) => ({ localPort: 4173, remotePort: 50_000 + pid })
const numbers = (line: readonly { readonly pid: number }[]) => line.map(({ pid }) => pid)

describe('processes of macOS, by a stand-in for its programs', () => {
  it('seeProcess, withAncestors: terminals, sessions and parents as ps tells them', async () => {
    using system = macSystem(processes)
    const shell = await seeProcess(501, system)
    assert.deepEqual([shell?.hasTerminal, shell?.readsTerminal, shell?.session], [true, true, 0])
    assert.equal((await seeProcess(500, system))?.session, 500)
    assert.deepEqual(numbers(await withAncestors(510, system)), [510, 501, 500, 400, 1])
    assert.match(await readBootId(system), /^[0-9A-F-]{36}$/)
  })

  it('processesAt, portHolder: the other end of a connection, hidden where nothing is told', async () => {
    using system = macSystem(processes, { ...connected(510, 701), listeners: { 4173: 501 } })
    assert.deepEqual(await processesAt(socketOf(701), [], system), { is: 'seen', pids: [701] })
    assert.deepEqual(await processesAt(socketOf(999), [], system), { is: 'hidden' })
    const silent = { platform: 'darwin', folders: '/nowhere' } as const
    assert.deepEqual(await processesAt(socketOf(701), [], silent), { is: 'hidden' })
    assert.equal(await portHolder(4173, system), '"-zsh" (process 501)')
    assert.equal(await portHolder(4174, system), undefined)
  })

  it('callerChain, clientProgram: ends before the shell of a person, and counts a shell whose input is not told', async () => {
    using system = macSystem(processes)
    assert.deepEqual(numbers(await callerChain(510, { system })), [510])
    assert.deepEqual(numbers(await callerChain(531, { system })).slice(0, 2), [531, 530])
    const editor = '/Applications/Visual Studio Code.app/Contents/MacOS/Electron'
    assert.deepEqual(await clientProgram(701, system), { key: editor, path: editor, folder: '/Users/ann/my site' })
  })

  it('ConnectedProcesses: a person decides, and neither a caller, nor a server, nor what cannot be told', async () => {
    using folder = temporaryFolder()
    await using store = openStore({ path: join(folder.path, 'a.db'), rooms: [processTables] })
    using system = macSystem(processes, connected(510, 520, 521, 800, 811))
    const taints = { inherit: async () => {} }
    const at = new ConnectedProcesses(store, { servers: { pids: new Set() }, taints, system })
    assert.ok(await at.note(socketOf(520), 'token', { id: 'agent', name: 'agent' }))
    assert.equal(await at.noPersonAt(socketOf(510)), undefined)
    assert.ok(await at.hasTerminalAt(socketOf(510)))
    assert.deepEqual(await at.noPersonAt(socketOf(521)), { is: 'caller', pid: 520, name: 'node' })
    assert.deepEqual(await at.noPersonAt(socketOf(800)), { is: 'server' })
    assert.deepEqual(await at.noPersonAt(socketOf(811)), { is: 'hidden' })
    assert.deepEqual(await at.noPersonAt(socketOf(999)), { is: 'hidden' })
  })
})
