import { basename } from 'node:path'
import { connectedTo } from './connected-processes.ts'
import { type SeenProcess, seeProcess, withAncestors } from './process-table.ts'

/** A program that is connected to the host, and that a process descends from. */
export interface CallingAncestor {
  readonly pid: number
  readonly name: string
}

/** Launchers between a client and `trunkline stdio` at most. */
const maxLaunchers = 5

/**
 * The connected caller that a process descends from, if it does: whoever holds a connection to the host, and whoever
 * started a `trunkline stdio` that does.
 */
export async function callingAncestor(port: number, pid = process.pid): Promise<CallingAncestor | undefined> {
  const [, ...ancestors] = await withAncestors(pid)
  if (ancestors.length === 0) return undefined
  const callers = new Set<number>()
  for (const connected of await connectedTo(port)) {
    const seen = await seeProcess(connected)
    if (seen) callers.add((await callerBehind(seen)).pid)
  }
  const found = ancestors.find((one) => callers.has(one.pid))
  return found && { pid: found.pid, name: basename(found.words[0] ?? '') }
}

/** Of `trunkline stdio`, the client that started it; of anything else, itself. */
async function callerBehind(seen: SeenProcess): Promise<SeenProcess> {
  if (!isBridge(seen)) return seen
  let caller = seen
  for (let depth = 0; depth < maxLaunchers; depth++) {
    const parent = await seeProcess(caller.parent)
    if (!parent) return caller
    caller = parent
    if (!isLauncher(parent)) return caller
  }
  return caller
}

function isBridge({ words }: SeenProcess): boolean {
  // the command comes first; behind "--" stand the words of another program
  const at = words.findIndex((word) => /(?:^|\/)trunkline(?:\.js)?$/.test(word))
  return at >= 0 && words[at + 1] === 'stdio'
}

/** What only stands between a client and the program it starts. */
function isLauncher(seen: SeenProcess): boolean {
  const [program = '', ...args] = seen.words
  if (isBridge(seen)) return true
  if (/^-?(?:sh|bash|dash|zsh|ksh|fish|ash)$/.test(basename(program))) return args.some((arg) => /^-\w*c$/.test(arg))
  return seen.words.slice(0, 2).some((word) => /(?:^|\/)(?:npx|npm)(?:-cli\.js)?$|^npm exec/.test(word))
}
