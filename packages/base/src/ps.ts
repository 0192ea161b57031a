import { printedBy, type System, thisSystem } from './system-programs.ts'

/** A process as `ps` shows it on macOS. */
export interface PsProcess {
  readonly pid: number
  readonly parent: number
  readonly group: number
  readonly leadsSession: boolean
  /** Its controlling terminal, such as `ttys001`; '' where it has none. */
  readonly terminal: string
  /** Seconds since 1970, in digits. */
  readonly startedAt: string
  /** Resident memory. */
  readonly bytes: number
  /** The program and its arguments; an argument with spaces is several of them. */
  readonly words: readonly string[]
}

/** Of several names after one `-o`, some systems take all but the first for its title. */
const columns = ['ppid', 'pgid', 'tty', 'stat', 'rss', 'lstart', 'command'].flatMap((name) => ['-o', `${name}=`])
// the start has five words: Mon Nov 16 10:11:12 2026
const shape = /^(\d+)\s+(\d+)\s+(\S+)\s+(\S+)\s+(\d+)\s+(\w{3}\s+\w{3}\s+\d+\s+[\d:]+\s+\d{4})\s*(.*)$/

/** One process; undefined if it is gone, or if the system has no `ps`. */
export async function psProcess(pid: number, system: System = thisSystem): Promise<PsProcess | undefined> {
  return (await psProcesses(pid, system))[0]
}

/** Every process, or the one with a number, as `ps` shows them; none where the system has no `ps`. */
export async function psProcesses(pid: number | 'all', system: System = thisSystem): Promise<readonly PsProcess[]> {
  const [lines, names] = await Promise.all([listed(pid, columns, system), listed(pid, ['-o', 'comm='], system)])
  return [...lines].flatMap(([found, line]) => {
    const fields = shape.exec(line)
    return fields ? [processOf(found, fields, names.get(found) ?? '')] : []
  })
}

/**
 * Environments of processes, or of the one with a number, as one text each. The system shows those of this user's own
 * processes, and not those of programs that came with it: what is not in the map is unknown.
 */
export async function psEnvironments(
  pid: number | 'all',
  system: System = thisSystem,
): Promise<ReadonlyMap<number, string>> {
  const [alone, withAll] = await Promise.all([
    listed(pid, ['-o', 'command='], system),
    listed(pid, ['-E', '-o', 'command='], system),
  ])
  const found = new Map<number, string>()
  for (const [one, text] of withAll) {
    const command = alone.get(one)
    if (command === undefined || !text.startsWith(`${command} `)) continue
    found.set(one, text.slice(command.length + 1).trim())
  }
  return found
}

function processOf(pid: number, fields: readonly string[], name: string): PsProcess {
  const [, parent, group, terminal = '', state = '', kibibytes, start = '', command = ''] = fields
  return {
    pid,
    parent: Number(parent),
    group: Number(group),
    leadsSession: state.includes('s'),
    terminal: /^[?-]/.test(terminal) ? '' : terminal,
    startedAt: String(Date.parse(`${start} UTC`) / 1_000),
    bytes: Number(kibibytes) * 1_024,
    words: wordsOf(command, name),
  }
}

/** The path of a program may have spaces, as those of many applications. */
function wordsOf(command: string, name: string): readonly string[] {
  if (command === name) return [name]
  if (name === '' || !command.startsWith(`${name} `)) return command.split(' ')
  return [name, ...command.slice(name.length + 1).split(' ')]
}

/** Lines of `ps` by process; without -ww they would end at the width of a terminal. */
async function listed(
  pid: number | 'all',
  asked: readonly string[],
  system: System,
): Promise<ReadonlyMap<number, string>> {
  if (system.platform === 'win32') return new Map()
  const which = pid === 'all' ? ['-A'] : ['-p', String(pid)]
  const text = await printedBy(system, 'ps', [...which, '-ww', '-o', 'pid=', ...asked])
  return new Map([...text.matchAll(/^ *(\d+) +(.*\S) *$/gm)].map(([, one, line = '']) => [Number(one), line]))
}
