import { type ChildProcess, spawn } from 'node:child_process'
import { onLoadCore, onServerCore } from './cores.ts'
import { cacheFolder, erasedFile } from './places.ts'

/** Options for starting a program. */
export interface StartOptions {
  readonly env?: Readonly<Record<string, string>>
  /** Options of Node itself. @default none */
  readonly flags?: readonly string[]
  /** Connections of the harness to it: its pipes, a channel for messages, both, or nothing. @default 'nothing' */
  readonly hold?: 'pipes' | 'channel' | 'both' | 'nothing'
  /** The core it runs on. @default 'server' */
  readonly core?: 'server' | 'load'
}

/** A program that runs, and the last words it said on stderr. */
export interface Running {
  readonly child: ChildProcess
  readonly exited: Promise<void>
  lastWords(): string
  /** Ends it, at once unless another signal is given. */
  end(signal?: 'SIGTERM'): Promise<void>
}

/** A program that did not come up; the run goes on without it. */
export class NotThereYet extends Error {}

const keptWords = 4_000
const running = new Set<ChildProcess>()
const holds = {
  pipes: ['pipe', 'pipe', 'pipe'],
  channel: ['ignore', 'ignore', 'pipe', 'ipc'],
  both: ['pipe', 'pipe', 'pipe', 'ipc'],
  nothing: ['ignore', 'ignore', 'pipe'],
} as const

process.on('SIGINT', () => process.exit(130))
process.on('SIGTERM', () => process.exit(143))
process.on('exit', () => {
  for (const child of running) child.kill('SIGKILL')
})

/** Starts a program, named by its path below this folder without the ending. */
export function startProgram(program: string, options: StartOptions = {}): Running {
  const { env = {}, flags = [], hold = 'nothing', core = 'server' } = options
  const place = core === 'server' ? onServerCore : onLoadCore
  const [command, args] = place(process.execPath, [...flags, erasedFile(program)])
  const child = spawn(command, args, {
    cwd: cacheFolder,
    env: { ...process.env, ...env },
    stdio: [...holds[hold]],
  })
  running.add(child)
  const exited = new Promise<void>((resolve) => {
    child.once('error', () => resolve())
    child.once('exit', () => resolve())
  }).finally(() => running.delete(child))
  const end = (signal: NodeJS.Signals = 'SIGKILL') => {
    child.kill(signal)
    return exited
  }
  return { child, exited, lastWords: wordsOf(child), end }
}

/** Cause of a program's failure in its own words, on one line, with the places it is about cut short. */
export function complaint(words: string): string {
  const lines = words
    .replaceAll(`${cacheFolder}/`, '')
    .split('\n')
    .map((line) => line.trim())
  return (
    lines.find((line) => /^(\w*Error\b|.*\bError:)/.test(line)) ??
    lines.find((line) => line !== '') ??
    'it said nothing'
  )
}

function wordsOf(child: ChildProcess): () => string {
  let words = ''
  child.stderr?.setEncoding('utf8')
  child.stderr?.on('data', (chunk: string) => {
    words = (words + chunk).slice(0, keptWords)
  })
  return () => complaint(words)
}
