/** Real child processes for tests: what they run, and whether they are gone. */
import { readdirSync, readFileSync } from 'node:fs'
import { lacking } from '../../../tools/lib/needs.ts'
import { until } from '../../../tools/lib/until.ts'
import type { SpawnTarget } from '../src/transports/stdio/spawn-target.ts'

/** Reason why a test that looks into `/proc` cannot run here, or false. */
export const noProc = lacking('linux', process.platform === 'linux')

/** A program that runs the body of a function, which must refer to nothing outside it. */
export function program(body: (...args: string[]) => unknown, ...args: string[]): SpawnTarget {
  const source = Buffer.from(`(${body})(...process.argv.slice(1))`).toString('base64')
  return { command: process.execPath, args: ['-e', `eval(Buffer.from('${source}', 'base64').toString())`, ...args] }
}

/** A process as `/proc` shows it. */
export interface Entry {
  readonly pid: number
  readonly parent: number
  readonly group: number
  readonly command: string
}

/** All processes that are alive, without those that are dead and not yet collected. */
export function processes(): Entry[] {
  const pids = readdirSync('/proc').filter((name) => /^\d+$/.test(name))
  return pids.flatMap((pid) => {
    const stat = read(`/proc/${pid}/stat`)
    // the name of the program comes first, in parentheses, and may contain anything
    const [state, parent, group] = stat.slice(stat.lastIndexOf(')') + 2).split(' ')
    if (!state || state === 'Z') return []
    return [{ pid: Number(pid), parent: Number(parent), group: Number(group), command: read(`/proc/${pid}/cmdline`) }]
  })
}

/** Resolves when no process of the group is alive; rejects when that takes too many looks. */
export async function groupGone(group: number): Promise<void> {
  await until(() => processes().every((entry) => entry.group !== group), `group ${group} to end`)
}

/** The text of a file that may be gone by now. */
function read(path: string): string {
  try {
    return readFileSync(path, 'utf8')
  } catch {
    return ''
  }
}
