import { type ChildProcessWithoutNullStreams, spawn } from 'node:child_process'
import { once } from 'node:events'
import { setTimeout as wait } from 'node:timers/promises'
import { findProgram } from '@trunkline/base/find-program'
import { superviseGroup } from '@trunkline/mcp/stdio'

/** The last characters of standard error that are kept. */
const maxStderrChars = 2_000
/** Interval between looks for processes of a group that is to end. */
const lookMs = 20

/** ProgramCommand of a program and the folder it is started in. */
export interface ProgramCommand {
  readonly words: readonly string[]
  readonly cwd: string
  readonly env?: NodeJS.ProcessEnv
}

/** A program that leads a process group of its own; all that it started ends with it. */
export class ProgramGroup {
  readonly process: ChildProcessWithoutNullStreams
  /** Resolves with a sentence when the program has ended or could not be started. */
  readonly ended: Promise<string>
  #stderr = ''
  #stopping: Promise<void> | undefined

  constructor({ words: [program = '', ...args], cwd, env = process.env }: ProgramCommand) {
    // a group of its own, so that the whole tree can be ended; Windows has other means
    const detached = process.platform !== 'win32'
    const child = spawn(program, args, { cwd, env, detached, windowsHide: true })
    this.process = child
    const forget = child.pid === undefined ? () => {} : superviseGroup(child.pid)
    child.stderr.on('data', (bytes) => {
      this.#stderr = (this.#stderr + bytes).slice(-maxStderrChars)
    })
    child.stdin.on('error', () => {})
    this.ended = new Promise((resolve) => {
      child.once('error', (error) => resolve(error.message))
      child.once('exit', (code, signal) => {
        forget()
        resolve(signal === null ? `it ended with status ${code}` : `it was ended by ${signal}`)
      })
    })
  }

  /** The end of what it wrote to standard error. */
  get stderr(): string {
    return this.#stderr
  }

  /** Ends the program and all that it started: SIGTERM, and SIGKILL after `graceMs`. */
  stop(graceMs: number): Promise<void> {
    this.#stopping ??= this.#stop(graceMs)
    return this.#stopping
  }

  async #stop(graceMs: number): Promise<void> {
    const { pid } = this.process
    if (pid === undefined) return
    if (process.platform === 'win32') {
      await once(spawn('taskkill', ['/pid', `${pid}`, '/T', '/F'], { stdio: 'ignore' }), 'close').catch(() => {})
      return
    }
    if (signalGroup(pid, 'SIGTERM') && !(await goneWithin(pid, graceMs))) signalGroup(pid, 'SIGKILL')
    await this.ended
  }
}

/** Says why a program cannot be started; undefined if it can. */
export function whyNotStartable(program: string, cwd: string): string | undefined {
  const found = findProgram(program, { path: process.env.PATH, cwd })
  if ('path' in found) return undefined
  return found.problem === 'missing' ? `there is no program "${program}"` : `"${found.at}" cannot be executed`
}

async function goneWithin(group: number, ms: number): Promise<boolean> {
  const deadline = performance.now() + ms
  while (signalGroup(group, 0)) {
    if (performance.now() >= deadline) return false
    await wait(lookMs)
  }
  return true
}

function signalGroup(group: number, signal: NodeJS.Signals | 0): boolean {
  try {
    process.kill(-group, signal)
    return true
  } catch {
    return false
  }
}
