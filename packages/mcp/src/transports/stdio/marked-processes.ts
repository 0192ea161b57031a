import { randomBytes } from 'node:crypto'
import { readdir, readFile } from 'node:fs/promises'
import { setTimeout as wait } from 'node:timers/promises'

/** The variable that descendants of a program inherit, also those that left its process group. */
export const markVariable = 'MCP_PROCESS_TREE'

/** Start of the marks of all programs of this process. */
export const markFamily = randomBytes(8).toString('hex')

/** Start of the entry in the environment of every program that this process starts, and of all that those start. */
export const processMark = `${markVariable}=${markFamily}-`

const pollMs = 20
let marks = 0

/** A mark for one program. */
export function newMark(): string {
  marks += 1
  return `${markFamily}-${marks}`
}

/** Stops the processes that carry a mark: SIGTERM, and SIGKILL after `graceMs`. Only Linux tells which they are. */
export async function stopMarked(mark: string, graceMs: number): Promise<void> {
  if (process.platform !== 'linux') return
  const deadline = performance.now() + graceMs
  for (let found = await signalled(mark, 'SIGTERM'); found > 0; found = await signalled(mark, 0)) {
    if (performance.now() >= deadline) return void (await signalled(mark, 'SIGKILL'))
    await wait(pollMs)
  }
}

/** The processes of this user that carry a mark of a process, which may be gone; only Linux tells which they are. */
export async function findMarked(mark: string): Promise<readonly number[]> {
  return process.platform === 'linux' ? marked((entry) => entry.startsWith(mark)) : []
}

async function signalled(mark: string, signal: NodeJS.Signals | 0): Promise<number> {
  const whole = `${markVariable}=${mark}`
  const found = await marked((entry) => entry === whole)
  for (const pid of found) {
    try {
      process.kill(pid, signal)
    } catch {
      // it ended meanwhile
    }
  }
  return found.length
}

async function marked(fits: (entry: string) => boolean): Promise<readonly number[]> {
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
