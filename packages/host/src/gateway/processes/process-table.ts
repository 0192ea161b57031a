import { execFile } from 'node:child_process'
import { readFileSync } from 'node:fs'
import { readdir, readFile } from 'node:fs/promises'

/** A process, as far as it can be seen. */
export interface SeenProcess {
  readonly pid: number
  readonly parent: number
  /** Its process group, which is one job of an interactive shell. */
  readonly group: number
  /** Its session, which is one terminal; 0 where the system does not tell. */
  readonly session: number
  /** Its controlling terminal, as the system names it; '' where it has none. */
  readonly terminal: string
  readonly hasTerminal: boolean
  /** Tells it from a later process of the same number, together with the boot id. */
  readonly startedAt: string
  /** The program and its arguments. */
  readonly words: readonly string[]
}

/** More processes above one than any system has. */
const maxDepth = 64
const psMs = 5_000

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

/** Identifies this start of the machine; '' where the system does not tell. */
export function bootId(): Promise<string> {
  booted ??= readBootId()
  return booted
}

let booted: Promise<string> | undefined

async function readBootId(): Promise<string> {
  if (process.platform === 'linux') {
    return (await readFile('/proc/sys/kernel/random/boot_id', 'utf8').catch(() => '')).trim()
  }
  return process.platform === 'darwin' ? (await output('sysctl', ['-n', 'kern.bootsessionuuid'])).trim() : ''
}

/** Reads at once, since files of /proc are made by reading them: to wait for a thread takes ten times as long. */
async function seeInProc(pid: number): Promise<SeenProcess | undefined> {
  try {
    const [stat, words] = [readFileSync(`/proc/${pid}/stat`, 'utf8'), readFileSync(`/proc/${pid}/cmdline`, 'utf8')]
    return { pid, ...statFields(stat), words: words.split('\0').slice(0, -1) }
  } catch {
    return undefined
  }
}

/** The fields of a line of /proc/PID/stat. @see https://man7.org/linux/man-pages/man5/proc_pid_stat.5.html */
export function statFields(stat: string): Omit<SeenProcess, 'pid' | 'words'> {
  // the name stands in parentheses and may hold any character
  const fields = stat.slice(stat.lastIndexOf(')') + 2).split(' ')
  const [, parent = '0', group = '0', session = '0', terminal = '0'] = fields
  return {
    parent: Number(parent),
    group: Number(group),
    session: Number(session),
    terminal: terminal === '0' ? '' : terminal,
    hasTerminal: terminal !== '0',
    startedAt: fields[19] ?? '',
  }
}

async function seeWithPs(pid: number): Promise<SeenProcess | undefined> {
  if (process.platform === 'win32') return undefined
  const line = await output('ps', ['-o', 'ppid=,pgid=,tty=,lstart=,command=', '-p', String(pid)])
  // the start has five words: Mon Nov 16 10:11:12 2026
  const found = /^\s*(\d+)\s+(\d+)\s+(\S+)\s+((?:\S+\s+){4}\S+)\s+(.*)$/m.exec(line)
  if (!found) return undefined
  const [, parent, group, terminal = '', startedAt = '', command = ''] = found
  return {
    pid,
    parent: Number(parent),
    group: Number(group),
    session: 0,
    terminal: terminal.startsWith('?') ? '' : terminal,
    hasTerminal: !terminal.startsWith('?'),
    startedAt,
    words: command.split(' '),
  }
}

function output(program: string, args: readonly string[]): Promise<string> {
  return new Promise((resolve) => {
    execFile(program, args, { timeout: psMs }, (error, stdout) => resolve(error ? '' : stdout))
  })
}
