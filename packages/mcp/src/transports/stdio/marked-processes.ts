import { randomBytes } from 'node:crypto'
import { readdir, readFile } from 'node:fs/promises'
import { setTimeout as wait } from 'node:timers/promises'
import { psEnvironments } from '@trunkline/base/ps'
import { type System, thisSystem } from '@trunkline/base/system-programs'

/** The variable that descendants of a program inherit, also those that left its process group. */
export const markVariable = 'MCP_PROCESS_TREE'

/** Start of the marks of all programs of this process. */
export const markFamily = randomBytes(8).toString('hex')

/** Start of the entry in the environment of every program that this process starts, and of all that those start. */
export const processMark = `${markVariable}=${markFamily}-`

/** Milliseconds between two looks: to start a program takes longer than to read a file. */
const pollMs = { linux: 20, darwin: 250 } as const
let marks = 0

/** A mark for one program. */
export function newMark(): string {
  marks += 1
  return `${markFamily}-${marks}`
}

/**
 * Stops the processes that carry a mark: SIGTERM, and SIGKILL after `graceMs`. Linux tells which they are, and macOS of
 * all but its own programs.
 */
export async function stopMarked(mark: string, graceMs: number, system: System = thisSystem): Promise<void> {
  const { platform } = system
  if (platform !== 'linux' && platform !== 'darwin') return
  const deadline = performance.now() + graceMs
  const signalled = (signal: NodeJS.Signals | 0) => signalMarked(mark, signal, system)
  for (let found = await signalled('SIGTERM'); found > 0; found = await signalled(0)) {
    if (performance.now() >= deadline) return void (await signalled('SIGKILL'))
    await wait(pollMs[platform])
  }
}

/**
 * The processes of this user that carry a mark of a process, which may be gone. Linux tells which they are, and macOS of
 * all but its own programs.
 */
export function findMarked(mark: string, system: System = thisSystem): Promise<readonly number[]> {
  return marked((entry) => entry.startsWith(mark), system)
}

async function signalMarked(mark: string, signal: NodeJS.Signals | 0, system: System): Promise<number> {
  const whole = `${markVariable}=${mark}`
  const found = await marked((entry) => entry === whole, system)
  for (const pid of found) {
    try {
      process.kill(pid, signal)
    } catch {
      // it ended meanwhile
    }
  }
  return found.length
}

async function marked(fits: (entry: string) => boolean, system: System): Promise<readonly number[]> {
  if (system.platform === 'darwin') return listed(fits, system)
  if (system.platform !== 'linux') return []
  const pids = (await readdir('/proc')).filter((name) => /^\d+$/.test(name))
  const looked = await Promise.all(
    pids.map(async (pid) => {
      // those of other users cannot be read, and are none of ours
      const environment = await readFile(`/proc/${pid}/environ`, 'latin1').catch(() => '')
      return environment.split('\0').some(fits) ? [Number(pid)] : []
    }),
  )
  return looked.flat()
}

/** A mark has no spaces, so that it is whole among the pieces of what `ps` shows. */
async function listed(fits: (entry: string) => boolean, system: System): Promise<readonly number[]> {
  const environments = await psEnvironments('all', system)
  return [...environments].flatMap(([pid, text]) => (text.split(' ').some(fits) ? [pid] : []))
}
