import { basename } from 'node:path'
import { type System, thisSystem } from '@trunkline/base/system-programs'
import { type SeenProcess, seeProcess } from './process-table.ts'

/** Processes between a caller and its bridge that are remembered at most. */
const maxChain = 16

/** Options of the search for the processes of a caller. */
export interface CallerChainOptions {
  readonly withoutCommand?: boolean
  readonly system?: System
}

/**
 * The processes that count as one caller, nearest first: the one that is connected, and its parent as long as that
 * is a wrapper, of `trunkline stdio` also the client that started it, and the rest of its job in a terminal. A person's
 * shell, and programs that hold terminals and sessions, are never part of it. With `withoutCommand` neither is a
 * `trunkline call` that is connected itself, nor a script that runs it: it asks the person at its terminal.
 */
export async function callerChain(
  pid: number,
  { withoutCommand = false, system = thisSystem }: CallerChainOptions = {},
): Promise<readonly SeenProcess[]> {
  const connected = await seeProcess(pid, system)
  if (!connected) return []
  const chain = [connected]
  for (let last = connected; chain.length < maxChain; ) {
    const parent = last.parent === process.pid ? undefined : await seeProcess(last.parent, system)
    if (!parent || isPersonsShell(parent) || keepsSessions(parent) || !belongsTo(last, parent)) break
    chain.push(parent)
    last = parent
  }
  if (!withoutCommand || !isOwnCommand(connected) || isBridge(connected)) return chain
  const program = chain.findIndex((one) => !isOwnCommand(one) && !isWrapper(one))
  return program < 0 ? [] : chain.slice(program)
}

function belongsTo(last: SeenProcess, parent: SeenProcess): boolean {
  if (isBridge(last)) return true
  const opensTerminal = last.hasTerminal && last.session === last.pid
  if (isOwnCommand(last)) return !opensTerminal
  if (isWrapper(last)) return !opensTerminal || isWrapper(parent)
  return last.hasTerminal && last.group === parent.group
}

/** `trunkline stdio`, which passes on the messages of another program. */
export function isBridge({ words }: SeenProcess): boolean {
  return words[ownWordAt(words) + 1] === 'stdio'
}

function isOwnCommand({ words }: SeenProcess): boolean {
  return ownWordAt(words) >= 0
}

/** The place of the command among the words: the program itself, or the script of a runtime; its arguments may name anything. */
function ownWordAt(words: readonly string[]): number {
  const at = runtimes.test(basename(words[0] ?? '')) ? scriptAt(words) : 0
  return /(?:^|\/)trunkline(?:\.js)?$/.test(words[at] ?? '') ? at : Number.NEGATIVE_INFINITY
}

const runtimes = /^(?:node|nodejs|bun|deno|sh|bash|dash)(?:\.exe)?$/
const takesValue = /^(?:-r|--require|--import|--loader|--env-file|-C|--conditions)$/

function scriptAt(words: readonly string[]): number {
  return words.findIndex((word, at) => at > 0 && !word.startsWith('-') && !takesValue.test(words[at - 1] ?? ''))
}

const shells = /^-?(?:sh|bash|dash|zsh|ksh|mksh|fish|ash|busybox|nu|pwsh)$/
const launchers =
  /^(?:npx|npm|pnpm|pnpx|yarn|bunx|uvx|uv|env|nohup|setsid|timeout|nice|ionice|stdbuf|script|unbuffer|expect|doas|sudo|xargs|time|curl|wget)$/

/**
 * Runs other programs and says nothing itself: a shell with a script or a command, a launcher of packages, a program
 * that starts another one in other circumstances, or one that sends a single request.
 */
export function isWrapper(seen: SeenProcess): boolean {
  const { words } = seen
  if (isBridge(seen)) return true
  const program = basename(words[0] ?? '')
  if (shells.test(program)) return !isPersonsShell(seen)
  if (launchers.test(program)) return true
  // npm and npx are scripts of Node, and call themselves "npm exec …"
  return words.slice(0, 2).some((word) => /(?:^|\/)(?:npx|npm|pnpm|yarn)(?:-cli)?(?:\.[cm]?js)?$|^npm exec/.test(word))
}

/** A shell that reads a terminal: it has one, and neither a script nor a command to run. */
export function isPersonsShell({ words: [program = '', ...args], readsTerminal }: SeenProcess): boolean {
  // a shell that reads a pipe or a file runs a script
  if (!readsTerminal || !shells.test(basename(program))) return false
  const own = args.filter((arg, at) => !/^--(?:rcfile|init-file)$/.test(args[at - 1] ?? '') && arg !== '')
  return !own.some((arg) => !arg.startsWith('-') || /^-\w*c$/.test(arg))
}

/** Programs that start and hold those of a person, such as terminals: were one remembered, no terminal could decide. */
const sessionKeepers =
  /^(?:systemd|init|launchd|tini|dumb-init|catatonit|tmux(?:: server)?|screen|SCREEN|zellij|mosh-server|sshd(?:-session|-auth)?|login|su|gnome-shell|gnome-session-binary|plasmashell|kwin_\w+|konsole|gnome-terminal-server|kitty|alacritty|wezterm-gui|foot|xterm|Terminal|iTerm2|explorer\.exe)$/

/** True for a program that holds terminals and sessions of a person, and for the first process of the system. */
export function keepsSessions({ pid, words }: SeenProcess): boolean {
  return pid <= 1 || sessionKeepers.test(basename(words[0] ?? '').replace(/:? .*$/, ''))
}
