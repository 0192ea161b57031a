import { visibleLine, visibleText } from '@trunkline/host/text'
import { exitCodes } from '../failure/exit-codes.ts'
import type { FailureDetails } from '../failure/failure.ts'
import { fitWidth } from './display-width.ts'
import { visibleJson } from './json.ts'
import { LiveBlock } from './live-block.ts'
import { colouredLine, type Line, plainLine } from './span.ts'

/** Stream that lines are written to. */
export interface OutputStream {
  write(text: string | Uint8Array): unknown
  readonly isTTY?: boolean
  readonly columns?: number
  readonly rows?: number
  hasColors?(): boolean
  on?(event: 'resize', listener: () => void): unknown
}

export interface OutputOptions {
  readonly stdout: OutputStream
  readonly stderr: OutputStream
  /** True to print results as JSON. */
  readonly json: boolean
  /** True to print only results and errors. */
  readonly quiet: boolean
  readonly env: { readonly [name: string]: string | undefined }
}

/** Lines at the end of the screen that are drawn anew. */
export interface LiveLines {
  draw(): void
  /** Takes them away. */
  end(): void
}

/** All that a command prints: results to stdout, everything else to stderr. */
export class Output {
  readonly json: boolean
  readonly quiet: boolean
  readonly #options: OutputOptions
  readonly #warnings: string[] = []
  #hasProgress = false
  #questions = 0
  #live: { clear(): void; draw(): void } | undefined
  #whenStopped: string | undefined

  constructor(options: OutputOptions) {
    this.#options = options
    this.json = options.json
    this.quiet = options.quiet
  }

  /** Width of tables; infinite if stdout is not a screen. */
  get width(): number {
    const { isTTY, columns } = this.#options.stdout
    return isTTY ? columns || 80 : Number.POSITIVE_INFINITY
  }

  /** The same output without results, for a command whose results are shown in another form. */
  withoutResults(): Output {
    return new Output({ ...this.#options, stdout: { write: () => true } })
  }

  /** The result of a command: one JSON document for scripts, lines for people. */
  result(value: unknown, lines: () => readonly Line[]): void {
    this.clearProgress()
    if (this.json) this.#options.stdout.write(`${visibleJson(value, 2)}\n`)
    else this.#write('stdout', lines())
  }

  /** One of many results that come over time: one line each. */
  event(value: unknown, line: () => Line): void {
    if (this.json) this.#options.stdout.write(`${visibleJson(value)}\n`)
    else this.#write('stdout', [line()])
  }

  /** A piece of a text that comes over time, with nothing in it that could move a cursor. */
  text(piece: string): void {
    this.clearProgress()
    this.#options.stdout.write(visibleText(piece))
  }

  /** Bytes as they are, which only a file or another program can take. */
  bytes(bytes: Uint8Array): void {
    this.#options.stdout.write(bytes)
  }

  /** Something worth knowing that is no result. */
  note(line: Line): void {
    if (!this.json && !this.quiet) this.#write('stderr', [line])
  }

  /** Shows progress: one line on a screen that the next one replaces, and nothing elsewhere, as where a screen reader reads. */
  progress(line: string): void {
    const { stderr } = this.#options
    if (!this.#redraws(stderr) || this.json || this.quiet || this.#questions > 0) return
    stderr.write(`${eraseLine}${fitWidth(visibleLine(line), (stderr.columns || 80) - 1)}`)
    this.#hasProgress = true
  }

  /** Takes the line about progress away, for a question to stand in its place. */
  clearProgress(): void {
    if (this.#hasProgress) this.#options.stderr.write(eraseLine)
    this.#hasProgress = false
  }

  /** Asks something; no line about progress is written over the question meanwhile. */
  async asking<Answer>(ask: () => Promise<Answer>): Promise<Answer> {
    this.clearProgress()
    this.#questions += 1
    try {
      return await ask()
    } finally {
      this.#questions -= 1
    }
  }

  /**
   * Keeps lines at the end of the screen that are drawn anew when asked for; all other output stands above them.
   * Undefined if stdout is not a screen.
   */
  live(lines: () => readonly Line[]): LiveLines | undefined {
    const { stdout } = this.#options
    if (!this.#redraws(stdout) || this.json || this.quiet) return undefined
    const block = new LiveBlock(stdout, this.#hasColours(stdout))
    const draw = (): void => block.draw(lines())
    this.#live = { clear: () => block.clear(), draw }
    stdout.on?.('resize', () => this.#live?.draw())
    return {
      draw,
      end: () => {
        this.#live = undefined
        block.clear()
      },
    }
  }

  /** Something wrong that can be lived with. */
  warn(message: string): void {
    if (this.#warnings.length < maxWarnings) this.#warnings.push(message)
    if (!this.json && !this.quiet) {
      this.#write('stderr', [[{ text: 'warning: ', style: 'warning' }, message]])
    }
  }

  /** Sets the message for stopping a command that runs until it is stopped, instead of that it was interrupted. */
  endsWhenStopped(said: string): void {
    this.#whenStopped = said
  }

  /** Says why the command failed: the last thing it prints. */
  failure({ message, code, exit, hint, data }: FailureDetails & { readonly message: string }): void {
    const said = this.#whenStopped
    this.#whenStopped = undefined
    if (said !== undefined && exit === exitCodes.interrupted && !this.json) {
      // the terminal has shown ^C there
      if (this.#redraws(this.#options.stderr)) this.#options.stderr.write(eraseLine)
      return this.note(said)
    }
    if (this.json) {
      const warnings = this.#warnings.length > 0 ? { warnings: this.#warnings } : {}
      const error = { code, exit, message, ...(hint && { hint }), ...(data !== undefined && { data }), ...warnings }
      this.#options.stderr.write(`${visibleJson({ error })}\n`)
      return
    }
    const line: Line = [{ text: 'trunkline: ', style: 'bad' }, message]
    this.#write('stderr', hint === undefined ? [line] : [line, hint])
  }

  /** For scripts the warnings of a command that went well follow it, one line of JSON each. */
  finish(): void {
    if (!this.json || this.quiet) return
    for (const message of this.#warnings) this.#options.stderr.write(`${visibleJson({ warning: { message } })}\n`)
  }

  #write(to: 'stdout' | 'stderr', lines: readonly Line[]): void {
    if (lines.length === 0) return
    this.clearProgress()
    this.#live?.clear()
    const stream = this.#options[to]
    const shown = this.#hasColours(stream) ? colouredLine : plainLine
    stream.write(`${lines.map(shown).join('\n')}\n`)
    this.#live?.draw()
  }

  /** True if what is written to a stream can be written over. */
  #redraws({ isTTY }: OutputStream): boolean {
    return isTTY === true && this.#options.env.TERM !== 'dumb'
  }

  #hasColours(stream: OutputStream): boolean {
    return this.#redraws(stream) && !this.#options.env.NO_COLOR && (stream.hasColors?.() ?? false)
  }
}

const eraseLine = '\r\u001b[2K'

/** Warnings kept for the end. */
const maxWarnings = 100
