import { execFile } from 'node:child_process'
import { readdir, readFile } from 'node:fs/promises'

/** A process, as far as it can be seen. */
export interface SeenProcess {
  readonly pid: number
  readonly parent: number
  /** The program and its arguments. */
  readonly words: readonly string[]
}

/** More processes above one than any system has. */
const maxDepth = 64

/** A process and all that it descends from, nearest first; as many as can be seen. */
export async function withAncestors(pid: number): Promise<readonly SeenProcess[]> {
  const found: SeenProcess[] = []
  for (let next = pid; next > 0 && found.length < maxDepth; ) {
    const seen = await seeProcess(next)
    if (!seen) break
    found.push(seen)
    next = seen.parent
  }
  return found
}

/** One process; undefined when it is gone or cannot be seen on this system. */
export function seeProcess(pid: number): Promise<SeenProcess | undefined> {
  return process.platform === 'linux' ? seeInProc(pid) : seeWithPs(pid)
}

/** Every process that can be seen in /proc. */
export async function everyPid(): Promise<readonly number[]> {
  const names = await readdir('/proc').catch(() => [])
  return names.filter((name) => /^\d+$/.test(name)).map(Number)
}

async function seeInProc(pid: number): Promise<SeenProcess | undefined> {
  try {
    const [stat, words] = await Promise.all([
      readFile(`/proc/${pid}/stat`, 'utf8'),
      readFile(`/proc/${pid}/cmdline`, 'utf8'),
    ])
    // the name stands in parentheses and may hold any character
    const [, parent = '0'] = stat.slice(stat.lastIndexOf(')') + 2).split(' ')
    return { pid, parent: Number(parent), words: words.split('\0').slice(0, -1) }
  } catch {
    return undefined
  }
}

function seeWithPs(pid: number): Promise<SeenProcess | undefined> {
  if (process.platform === 'win32') return Promise.resolve(undefined)
  return new Promise((resolve) => {
    execFile('ps', ['-o', 'ppid=,command=', '-p', String(pid)], { timeout: 5_000 }, (error, stdout) => {
      const [, parent, command = ''] = /^\s*(\d+)\s+(.*)$/m.exec(error ? '' : stdout) ?? []
      resolve(parent === undefined ? undefined : { pid, parent: Number(parent), words: command.split(' ') })
    })
  })
}
