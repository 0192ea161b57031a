import type { ChildProcessWithoutNullStreams } from 'node:child_process'
import { basename } from 'node:path'
import { McpError } from '../../wire/errors.ts'
import { settlesWithin } from '../timers.ts'
import { stopMarked } from './marked-processes.ts'
import { missingScript } from './missing-script.ts'
import { ProcessTree } from './process-tree.ts'
import { StderrTail } from './stderr-tail.ts'
import { supervisor } from './supervisor.ts'

/** Options of a child program. */
export interface ProgramOptions {
  /** Milliseconds to exit after the end of input, and again after SIGTERM, before it is killed. @default 2_000 */
  readonly graceMs?: number
  /**
   * Ends processes that left the process group too, on Linux; they are told by a variable that is added to the
   * environment, `MCP_PROCESS_TREE`. @default false
   */
  readonly endDaemons?: boolean
  /** Receives what the server writes to stderr. */
  readonly onStderr?: (text: string) => void
}

/** The options with their defaults. */
export interface ProgramSettings extends ProgramOptions {
  readonly graceMs: number
  /** Mark of its descendants, where those that left the group are ended too. */
  readonly mark: string | undefined
  /** Characters of stderr that are kept. */
  readonly maxStderrChars: number
}

export const programDefaults = { graceMs: 2_000 } as const satisfies ProgramOptions

// characters of each output in an error message
const quotedLength = 1_000

/** Exit of a program; both are null when it never started. */
export interface Exit {
  readonly code: number | null
  readonly signal: NodeJS.Signals | null
}

/** A child process, until the last process that it started has ended. */
export class ChildProgram {
  readonly exited: Promise<Exit>
  readonly #graceMs: number
  readonly #mark: string | undefined
  readonly #child: ChildProcessWithoutNullStreams
  readonly #tree: ProcessTree | undefined
  readonly #stderr: StderrTail
  readonly #noise = new StderrTail(quotedLength)
  readonly #closed: Promise<void>
  readonly #swept: Promise<void>
  #exit: Exit | undefined
  #failure: Error | undefined

  constructor(child: ChildProcessWithoutNullStreams, options: ProgramSettings) {
    const { maxStderrChars, onStderr } = options
    this.#graceMs = options.graceMs
    this.#mark = options.mark
    this.#child = child
    this.#tree = child.pid === undefined ? undefined : new ProcessTree(child.pid)
    this.#stderr = new StderrTail(maxStderrChars)
    child.stderr.setEncoding('utf8').on('data', (text: string) => {
      this.#stderr.add(text)
      onStderr?.(text)
    })
    this.exited = this.#watchExit()
    this.#closed = new Promise((resolve) => child.once('close', () => resolve()))
    this.#swept = this.exited.then(() => this.#sweep())
    if (child.pid !== undefined) supervisor.watch(child.pid)
  }

  /** The end of what the program wrote to stderr. */
  get stderr(): string {
    return this.#stderr.toString()
  }

  /** Records a line of stdout that is not a message. */
  addNoise(line: string): void {
    this.#noise.add(`${line}\n`)
  }

  /** The output of the program for an error message; `unfinished` is an incomplete line of stdout. */
  strayOutput(unfinished = ''): string {
    const quoted = [
      ['stderr', this.stderr],
      ['stdout', `${this.#noise}${unfinished}`],
    ].map(([where, text = '']) => [where, text.trim().slice(-quotedLength)])
    return quoted.flatMap(([where, text]) => (text ? `to ${where}:\n${text}` : [])).join('\nand ')
  }

  /** Reason why the program ended, once its output has ended. */
  async outcome(explain: (failure: Error) => McpError): Promise<McpError> {
    await settlesWithin(this.#closed, this.#graceMs)
    if (this.#failure) return explain(this.#failure)
    const message = `Server "${basename(this.#child.spawnfile).replace(/\.exe$/i, '')}" ${describe(this.#exit)}${this.#whyEnded()}`
    return new McpError('Closed', message, { outcome: 'Unknown' })
  }

  #whyEnded(): string {
    const script = missingScript(this.stderr)
    if (script !== undefined) return `: there is no file "${script}"; correct the path, or create it`
    const said = this.strayOutput()
    return said && `, after writing ${said}`
  }

  /** Stops the program and its descendants: by closing stdin, then SIGTERM, then SIGKILL. */
  async stop(): Promise<void> {
    this.#child.stdin.end()
    // a program that is blocked on writing cannot exit
    this.#child.stdout.resume()
    if (!(await settlesWithin(this.exited, this.#graceMs))) await this.#tree?.stop(this.#graceMs)
    await this.#swept
  }

  #watchExit(): Promise<Exit> {
    return new Promise((resolve) => {
      this.#child.once('exit', (code, signal) => {
        this.#exit = { code, signal }
        resolve(this.#exit)
      })
      this.#child.on('error', (failure) => {
        if (this.#child.pid !== undefined) return
        this.#failure = failure
        resolve({ code: null, signal: null })
      })
    })
  }

  /** Stops the processes that the program left behind. */
  async #sweep(): Promise<void> {
    const { pid, stdout, stderr } = this.#child
    await this.#tree?.stop(this.#graceMs)
    if (this.#mark !== undefined) await stopMarked(this.#mark, this.#graceMs)
    if (pid !== undefined) supervisor.forget(pid)
    if (pid !== undefined && (await settlesWithin(this.#closed, this.#graceMs))) return
    // a process that left the group may still hold the pipes
    stdout.destroy()
    stderr.destroy()
  }
}

function describe(exit: Exit | undefined): string {
  if (!exit) return 'closed its stdout'
  return exit.signal ? `was ended by ${exit.signal}` : `exited with code ${exit.code}`
}
