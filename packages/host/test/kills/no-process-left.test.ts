import assert from 'node:assert/strict'
import { once } from 'node:events'
import { readdirSync, readlinkSync } from 'node:fs'
import { describe, it } from 'node:test'
import { programFile } from '../../../../tools/lib/program-file.ts'
import { until } from '../../../../tools/lib/until.ts'
import { Host } from '../../src/assembly/host.ts'
import { temporaryFolder } from '../temporary-folder.ts'
import { acceptServer, killableHome } from './killable.ts'
import { noProc, processesOf } from './processes-of.ts'

const unruly = programFile(new URL('../programs/unruly.ts', import.meta.url))
const cycles = Number(process.env.TRUNKLINE_CYCLES ?? 15)

/** The files that a process has open; none for one that has ended. */
function filesOf(pid: number): readonly string[] {
  const folder = `/proc/${pid}/fd`
  return unlessGone(() => readdirSync(folder)).flatMap((name) => unlessGone(() => [readlinkSync(`${folder}/${name}`)]))
}

function unlessGone(read: () => readonly string[]): readonly string[] {
  try {
    return read()
  } catch {
    return []
  }
}

describe('of stubborn servers, daemons and children of shells', { skip: noProc }, () => {
  for (const signal of ['SIGTERM', 'SIGKILL'] as const) {
    it(`nothing is left after ${signal} of the host`, async () => {
      await using home = killableHome()
      const program = (worst: string) => ({ command: process.execPath, args: [unruly, worst] })
      // as package managers do it: a shell, below it the server, and below that its children
      const wrapped = { command: 'sh', args: ['-c', '"$0" "$@"; true', process.execPath, unruly, 'stubborn'] }
      const mcpServers = { stubborn: program('stubborn'), daemon: program('daemon'), wrapped }
      home.at.configure({ mcpServers })
      const { api, child } = await home.start()
      const here = `HOME=${home.at.home}`
      for (const server of Object.keys(mcpServers)) await acceptServer(api, server)
      const left = () => processesOf(here).filter(({ pid }) => pid !== child.pid)
      // each server and its child
      assert.ok(left().length >= 7, JSON.stringify(left()))
      const open = left().flatMap(({ pid }) => filesOf(pid))
      assert.ok(!open.some((file) => file.includes('trunkline.db')), 'a server has files of the host open')
      const gone = once(child, 'exit')
      child.kill(signal)
      await gone
      await until(() => left().length === 0, `all to end, but ${JSON.stringify(left())}`)
    })
  }
})

it(`${cycles} times started and stopped, nothing is left: no process, no file, no timer`, {
  skip: noProc,
}, async () => {
  using folder = temporaryFolder()
  const env = { CYCLES: folder.path }
  const launch = { kind: 'program', command: process.execPath, args: [unruly], cwd: '/', env } as const
  const cycle = async (): Promise<void> => {
    await using host = new Host({ folder: folder.path, servers: [{ name: 'one', launch }] })
    await host.start()
    await host.accept('one')
    assert.equal(processesOf(`CYCLES=${folder.path}`).length, 1)
  }
  const files = () => readdirSync('/proc/self/fd').length
  await cycle()
  const before = { files: files(), resources: process.getActiveResourcesInfo().length }
  for (let count = 1; count < cycles; count += 1) await cycle()
  assert.deepEqual(processesOf(`CYCLES=${folder.path}`), [])
  await until(() => files() <= before.files, `${files()} open files to be ${before.files} again`)
  await until(() => process.getActiveResourcesInfo().length <= before.resources, 'timers and sockets to end')
})
