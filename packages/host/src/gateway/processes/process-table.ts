import { readFileSync, readlinkSync } from 'node:fs'
import { readdir, readFile } from 'node:fs/promises'
import { psProcess } from '@trunkline/base/ps'
import { printedBy, type System, thisSystem } from '@trunkline/base/system-programs'
import { heldFile } from './lsof.ts'

/** A process, as far as it can be seen. */
export interface SeenProcess {
  readonly pid: number
  readonly parent: number
  /** Its process group, which is one job of an interactive shell. */
  readonly group: number
  /** Its session, which is one terminal; 0 where the system does not tell, as macOS does of all but the leader. */
  readonly session: number
  /** Its controlling terminal, as the system names it; '' where it has none. */
  readonly terminal: string
  readonly hasTerminal: boolean
  /** True if its input is a terminal; false also where the system does not tell. */
  readonly readsTerminal: boolean
  /** Tells it from a later process of the same number, together with the boot id. */
  readonly startedAt: string
  /** The program and its arguments. */
  readonly words: readonly string[]
}

/** More processes above one than any system has. */
const maxDepth = 64

/** A process and all that it descends from, nearest first; as many as can be seen. */
export async function withAncestors(pid: number, system: System = thisSystem): Promise<readonly SeenProcess[]> {
  const found: SeenProcess[] = []
  for (let next = pid; next > 0 && found.length < maxDepth; ) {
    const seen = await seeProcess(next, system)
    if (!seen) break
    found.push(seen)
    next = seen.parent
  }
  return found
}

/** One process; undefined when it is gone or cannot be seen on this system. */
export function seeProcess(pid: number, system: System = thisSystem): Promise<SeenProcess | undefined> {
  return system.platform === 'linux' ? seeInProc(pid) : seeWithPs(pid, system)
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

/** Asks the system for the id of its start. */
export async function readBootId(system: System = thisSystem): Promise<string> {
  if (system.platform === 'linux') {
    return (await readFile('/proc/sys/kernel/random/boot_id', 'utf8').catch(() => '')).trim()
  }
  return system.platform === 'darwin' ? (await printedBy(system, 'sysctl', ['-n', 'kern.bootsessionuuid'])).trim() : ''
}

/** Reads at once, since files of /proc are made by reading them: to wait for a thread takes ten times as long. */
async function seeInProc(pid: number): Promise<SeenProcess | undefined> {
  try {
    const [stat, words] = [readFileSync(`/proc/${pid}/stat`, 'utf8'), readFileSync(`/proc/${pid}/cmdline`, 'utf8')]
    const fields = statFields(stat)
    return {
      ...{ pid, ...fields, words: words.split('\0').slice(0, -1) },
      readsTerminal: fields.hasTerminal && isTerminal(inputInProc(pid)),
    }
  } catch {
    return undefined
  }
}

/** The fields of a line of /proc/PID/stat. @see https://man7.org/linux/man-pages/man5/proc_pid_stat.5.html */
export function statFields(stat: string): Omit<SeenProcess, 'pid' | 'words' | 'readsTerminal'> {
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

/** The input of a process; that of a process which cannot be looked into, but has a terminal, is taken for it. */
function inputInProc(pid: number): string {
  try {
    return readlinkSync(`/proc/${pid}/fd/0`)
  } catch {
    return '/dev/tty'
  }
}

async function seeWithPs(pid: number, system: System): Promise<SeenProcess | undefined> {
  const found = await psProcess(pid, system)
  if (!found) return undefined
  const { parent, group, leadsSession, terminal, startedAt, words } = found
  const hasTerminal = terminal !== ''
  return {
    ...{ pid, parent, group, terminal, hasTerminal, startedAt, words },
    session: leadsSession ? pid : 0,
    readsTerminal: hasTerminal && isTerminal(await heldFile(pid, '0', system)),
  }
}

function isTerminal(path = ''): boolean {
  return /^\/dev\/(?:pts\/|tty|console)/.test(path)
}
