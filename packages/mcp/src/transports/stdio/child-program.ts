import type { ChildProcessWithoutNullStreams } from 'node:child_process'
import { basename } from 'node:path'
import { McpError } from '../../wire/errors.ts'
import { settlesWithin } from '../timers.ts'
import { ProcessTree } from './process-tree.ts'
import { StderrTail } from './stderr-tail.ts'
import { supervisor } from './supervisor.ts'

/** How a program that was started is ended, and who hears what it prints. */
export interface ProgramOptions {
  /** Milliseconds the server has to exit by itself, and again to obey SIGTERM, before it is killed. @default 2_000 */
  readonly graceMs?: number
  /** Told what the server writes to stderr, which need not be about errors. */
  readonly onStderr?: (text: string) => void
}

/** The options with nothing left open. */
export interface ProgramSettings extends ProgramOptions {
  readonly graceMs: number
  /** Characters that are kept of what the server wrote to stderr last. */
  readonly maxStderrChars: number
}

export const programDefaults = { graceMs: 2_000 } as const satisfies ProgramOptions

// of what the server wrote to each of its outputs, in an error message
const quotedLength = 1_000

/** How a program ended; both are null when it never started. */
export interface Exit {
  readonly code: number | null
  readonly signal: NodeJS.Signals | null
}

/** A running child from its start to the end of the last process that it started. */
export class ChildProgram {
  readonly exited: Promise<Exit>
  readonly #graceMs: number
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

  /** What the program wrote to stderr, or the last of it. */
  get stderr(): string {
    return this.#stderr.toString()
  }

  /** Takes what the program wrote to stdout and is no message. */
  addNoise(line: string): void {
    this.#noise.add(`${line}\n`)
  }

  /** What the program wrote and where to, for an error to quote; `unfinished` is of a line of stdout. */
  strayOutput(unfinished = ''): string {
    const quoted = [
      ['stderr', this.stderr],
      ['stdout', `${this.#noise}${unfinished}`],
    ].map(([where, text = '']) => [where, text.trim().slice(-quotedLength)])
    return quoted.flatMap(([where, text]) => (text ? `to ${where}:\n${text}` : [])).join('\nand ')
  }

  /** Says, once its output has ended, how the program did. */
  async outcome(explain: (failure: Error) => McpError): Promise<McpError> {
    await settlesWithin(this.#closed, this.#graceMs)
    if (this.#failure) return explain(this.#failure)
    const said = this.strayOutput()
    const quote = said && `, after writing ${said}`
    return new McpError('Closed', `Server "${basename(this.#child.spawnfile)}" ${describe(this.#exit)}${quote}`, {
      outcome: 'Unknown',
    })
  }

  /** Ends the program and everything it started: by the end of its input, by request, by force. */
  async stop(): Promise<void> {
    this.#child.stdin.end()
    // a program that is stuck in writing cannot exit
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

  /** Ends what the program left behind. */
  async #sweep(): Promise<void> {
    const { pid, stdout, stderr } = this.#child
    await this.#tree?.stop(this.#graceMs)
    if (pid !== undefined) supervisor.forget(pid)
    if (pid !== undefined && (await settlesWithin(this.#closed, this.#graceMs))) return
    // whoever left the group still holds the other ends
    stdout.destroy()
    stderr.destroy()
  }
}

function describe(exit: Exit | undefined): string {
  if (!exit) return 'closed its stdout'
  return exit.signal ? `was ended by ${exit.signal}` : `exited with code ${exit.code}`
}
