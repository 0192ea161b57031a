import assert from 'node:assert/strict'
import { type ChildProcess, spawn } from 'node:child_process'
import { once } from 'node:events'
import { existsSync, readFileSync, writeFileSync } from 'node:fs'
import { delimiter, join } from 'node:path'
import { test } from 'node:test'
import { lacking } from '../../../../tools/lib/needs.ts'
import { temporaryFolder } from '../../test/temporary-folder.ts'
import { endLeftovers } from './leftovers.ts'
import { ProcessRecord } from './process-record.ts'

/** The stand-in of PowerShell is a script of `sh`. */
const noShell = { skip: lacking('posix', process.platform !== 'win32') }

type Row = readonly [pid: number | undefined, parent: number | undefined, startedAt: number, program: string]

/** A stand-in for Windows, whose PowerShell prints the processes that are set, in lines as it ends them. */
function windowsSystem() {
  const folder = temporaryFolder()
  const table = join(folder.path, 'table')
  const script = `#!/bin/sh
case "$1 $2 $4" in "-NoProfile -NonInteractive "*Win32_Process*) cat "${table}" ;; *) exit 2 ;; esac
`
  writeFileSync(join(folder.path, 'powershell.exe'), script, { mode: 0o755 })
  return {
    platform: 'win32',
    folders: [folder.path, '/usr/bin', '/bin'].join(delimiter),
    set: (rows: readonly Row[]) => writeFileSync(table, rows.map((row) => `${row.join(' ')}\r\n`).join('')),
    [Symbol.dispose]: () => folder[Symbol.dispose](),
  }
}

async function idle(): Promise<ChildProcess> {
  const child = spawn(process.execPath, ['-e', "setInterval(() => {}, 1_000); console.log('ready')"])
  await once(child.stdout, 'data')
  return child
}

test(
  'ProcessRecord: on Windows the next host ends what is left of servers, by number and start',
  noShell,
  async (t) => {
    using folder = temporaryFolder()
    using system = windowsSystem()
    const [left, later, other, beside] = [await idle(), await idle(), await idle(), await idle()]
    const all = [left, later, other, beside]
    t.after(() => all.map((child) => child.kill('SIGKILL')))
    const record = new ProcessRecord(folder.path, () => new Set([90_001]), system)
    assert.deepEqual(await endLeftovers(folder.path, system), [])
    system.set([
      [90_000, 4, 100, 'node.exe'],
      [90_001, 90_000, 200, 'node.exe'],
      [90_002, 90_001, 210, 'cmd.exe'],
      [left.pid, 90_002, 220, 'node.exe'],
      [other.pid, 90_002, 230, 'helper.exe'],
      [process.ppid, 90_002, 240, 'shell.exe'],
      [process.pid, process.ppid, 250, 'node.exe'],
      // older than the server: it was a child of another process with that number
      [beside.pid, 90_001, 150, 'old.exe'],
    ])
    await record.write()
    system.set([
      [left.pid, 90_002, 220, 'node.exe'],
      [later.pid, left.pid, 300, 'git.exe'],
      // another process has the number by now
      [other.pid, 4, 310, 'editor.exe'],
      [process.ppid, 90_002, 240, 'shell.exe'],
      [process.pid, process.ppid, 250, 'node.exe'],
      [beside.pid, 90_001, 150, 'old.exe'],
    ])
    const gone = [left, later].map((child) => once(child, 'exit'))
    assert.deepEqual(await endLeftovers(folder.path, system), [
      { pid: left.pid, command: 'node.exe' },
      { pid: later.pid, command: 'git.exe' },
    ])
    await Promise.all(gone)
    assert.deepEqual([other.exitCode, other.signalCode, beside.exitCode, beside.signalCode], [null, null, null, null])
    assert.deepEqual(await endLeftovers(folder.path, system), [])
    // a host that ended its servers itself leaves no record
    system.set([[90_001, 90_000, 200, 'node.exe']])
    await record.write()
    const file = join(folder.path, 'server-processes')
    assert.equal(readFileSync(file, 'utf8'), '90001 200')
    await record.close()
    assert.equal(existsSync(file), false)
  },
)

test('ProcessRecord: without PowerShell nothing is recorded, and nothing is ended', noShell, async () => {
  using folder = temporaryFolder()
  const system = { platform: 'win32', folders: folder.path }
  await new ProcessRecord(folder.path, () => new Set([process.pid]), system).write()
  assert.deepEqual(await endLeftovers(folder.path, system), [])
})
