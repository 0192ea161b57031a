import { readFile } from 'node:fs/promises'
import { join } from 'node:path'
import { setTimeout as wait } from 'node:timers/promises'
import { psProcess } from '@trunkline/base/ps'
import { type System, thisSystem } from '@trunkline/base/system-programs'
import { findMarked, processMark } from '@trunkline/mcp/stdio'
import { writeFileWhole } from '../store/write-file.ts'
import { endRecorded } from './process-record.ts'

/** A process that an earlier host started and that outlived it. */
export interface Leftover {
  readonly pid: number
  readonly command: string
}

/** Time for a process to end when it is asked to, before it is killed. */
const graceMs = 2_000

/**
 * Ends processes of servers that an earlier host left, when that host and the process that watches over it were both
 * killed; returns them. From then on the processes of this host can be told by the mark that is kept in the folder, on
 * Windows by a record of them.
 */
export async function endLeftovers(folder: string, system: System = thisSystem): Promise<readonly Leftover[]> {
  if (system.platform === 'win32')
    return (await endRecorded(folder, system)).map(({ pid, program }) => ({ pid, command: program }))
  const file = join(folder, 'process-mark')
  const before = await readFile(file, 'utf8').catch(() => '')
  const left = before === '' || before === processMark ? [] : await leftBy(before, system)
  if (before !== processMark) await writeFileWhole(file, processMark)
  if (left.length === 0) return []
  signal(left, 'SIGTERM')
  const deadline = performance.now() + graceMs
  // to start a program takes longer than to read a file
  const pollMs = system.platform === 'linux' ? 20 : 250
  while ((await leftBy(before, system)).length > 0 && performance.now() < deadline) await wait(pollMs)
  signal(await leftBy(before, system), 'SIGKILL')
  return left
}

async function leftBy(mark: string, system: System): Promise<readonly Leftover[]> {
  const own = await ancestors(system)
  const pids = (await findMarked(mark, system)).filter((pid) => !own.has(pid))
  return Promise.all(pids.map(async (pid) => ({ pid, command: await commandOf(pid, system) })))
}

/** This process and those it descends from: a host may be started by something that an earlier one started. */
async function ancestors(system: System): Promise<ReadonlySet<number>> {
  const found = new Set<number>()
  for (let pid = process.pid; pid > 1 && !found.has(pid); pid = await parentOf(pid, system)) found.add(pid)
  // known also where the system tells of no parents
  return found.add(process.ppid)
}

async function parentOf(pid: number, system: System): Promise<number> {
  if (system.platform !== 'linux') return (await psProcess(pid, system))?.parent ?? 0
  const stat = await readFile(`/proc/${pid}/stat`, 'utf8').catch(() => '')
  return Number(stat.slice(stat.lastIndexOf(')') + 2).split(' ')[1] ?? 0)
}

async function commandOf(pid: number, system: System): Promise<string> {
  if (system.platform !== 'linux') return ((await psProcess(pid, system))?.words ?? []).join(' ')
  const line = await readFile(`/proc/${pid}/cmdline`, 'utf8').catch(() => '')
  return line.replaceAll('\0', ' ').trim()
}

function signal(processes: readonly Leftover[], name: NodeJS.Signals): void {
  for (const { pid } of processes) {
    try {
      process.kill(pid, name)
    } catch {
      // it ended meanwhile
    }
  }
}
