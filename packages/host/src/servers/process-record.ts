import { readFile, rm } from 'node:fs/promises'
import { join } from 'node:path'
import { type System, thisSystem } from '@trunkline/base/system-programs'
import { type WindowsProcess, windowsProcesses, withDescendants } from '@trunkline/base/windows-processes'
import { writeFileWhole } from '../store/write-file.ts'

/** Time for a server to start the programs that it consists of. */
const settleMs = 5_000
const fileName = 'server-processes'

/**
 * Keeps a file of the processes of all servers on Windows, which does not tell the environments of processes. A killed
 * host takes along what Node started; what a shell started, such as a server of `npx`, is found by this file.
 */
export class ProcessRecord {
  readonly #folder: string
  readonly #servers: () => ReadonlySet<number>
  readonly #system: System
  #timer: NodeJS.Timeout | undefined

  constructor(folder: string, servers: () => ReadonlySet<number>, system: System = thisSystem) {
    this.#folder = folder
    this.#servers = servers
    this.#system = system
  }

  /** Writes the file a few seconds after a server has started, once for all that start meanwhile. */
  serverStarted(): void {
    if (this.#system.platform !== 'win32') return
    this.#timer ??= setTimeout(() => {
      this.#timer = undefined
      // without it, only leftovers are not found
      void this.write().catch(() => {})
    }, settleMs).unref()
  }

  /** Writes the processes of the servers and all that descend from them. */
  async write(): Promise<void> {
    const servers = this.#servers()
    const all = await windowsProcesses(this.#system)
    const found = withDescendants(
      all.filter(({ pid }) => servers.has(pid)),
      all,
    )
    if (found.length > 0) await writeFileWhole(join(this.#folder, fileName), found.map(keyOf).join('\n'))
  }

  /** Forgets them once all servers have ended: the next host need not look, which takes a second. */
  async close(): Promise<void> {
    clearTimeout(this.#timer)
    if (this.#system.platform === 'win32') await rm(join(this.#folder, fileName), { force: true })
  }
}

/** Ends the processes that an earlier host recorded, with their descendants; returns them. */
export async function endRecorded(folder: string, system: System = thisSystem): Promise<readonly WindowsProcess[]> {
  const file = join(folder, fileName)
  const recorded = new Set((await readFile(file, 'utf8').catch(() => '')).split('\n').filter(Boolean))
  if (recorded.size === 0) return []
  const all = await windowsProcesses(system)
  const own = ancestorsIn(all)
  const left = withDescendants(
    all.filter((one) => recorded.has(keyOf(one))),
    all,
  ).filter(({ pid }) => !own.has(pid))
  for (const { pid } of left) {
    try {
      process.kill(pid, 'SIGKILL')
    } catch {
      // it ended meanwhile
    }
  }
  await rm(file, { force: true })
  return left
}

/** A number is given to other processes later, and a start is not. */
function keyOf({ pid, startedAt }: WindowsProcess): string {
  return `${pid} ${startedAt}`
}

/** This process and those it descends from: a host may be started by something that an earlier one started. */
function ancestorsIn(all: readonly WindowsProcess[]): ReadonlySet<number> {
  const parents = new Map(all.map(({ pid, parent }) => [pid, parent]))
  const found = new Set([process.ppid])
  for (let pid: number | undefined = process.pid; pid !== undefined && !found.has(pid); pid = parents.get(pid))
    found.add(pid)
  return found
}
