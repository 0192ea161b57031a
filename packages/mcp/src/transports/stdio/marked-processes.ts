import { randomBytes } from 'node:crypto'
import { readdir, readFile } from 'node:fs/promises'
import { setTimeout as wait } from 'node:timers/promises'

/** The variable that descendants of a program inherit, also those that left its process group. */
export const markVariable = 'MCP_PROCESS_TREE'

/** What the marks of all programs of this process begin with. */
export const markFamily = randomBytes(8).toString('hex')

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

async function signalled(mark: string, signal: NodeJS.Signals | 0): Promise<number> {
  const found = await marked(`${markVariable}=${mark}`)
  for (const pid of found) {
    try {
      process.kill(pid, signal)
    } catch {
      // it ended meanwhile
    }
  }
  return found.length
}

async function marked(entry: string): Promise<readonly number[]> {
  const pids = (await readdir('/proc')).filter((name) => /^\d+$/.test(name))
  const looked = await Promise.all(
    pids.map(async (pid) => {
      // those of other users cannot be read, and are none of ours
      const environment = await readFile(`/proc/${pid}/environ`, 'latin1').catch(() => '')
      return environment.split('\0').includes(entry) ? [Number(pid)] : []
    }),
  )
  return looked.flat()
}
