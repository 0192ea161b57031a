import type { LogLevel } from '@trunkline/mcp'

/** A line of a server's log. */
export interface LogLine {
  readonly at: number
  readonly text: string
  /** Grows from line to line, over all servers, so that it names one line whatever becomes of its server. */
  readonly number: number
  /** True while the server has not ended the line; it comes again, with another number, when it has. @default false */
  readonly isUnfinished?: boolean
  /** Severity of a log message of the protocol; missing for stderr and for notes of the host. */
  readonly level?: LogLevel
}

/** Number of lines in this process. */
let count = 0

export interface StderrRingLimits {
  /** Lines of stderr, and as many log messages. @default 1_000 */
  readonly maxLines?: number
  /** Characters of one line; the rest of it is dropped. @default 4_096 */
  readonly maxLineLength?: number
}

const defaults = { maxLines: 1_000, maxLineLength: 4_096 } as const satisfies StderrRingLimits

/** The last lines of a server's log: its stderr, its log messages, and notes of the host. */
export class StderrRing {
  readonly #limits: Required<StderrRingLimits>
  #lines: LogLine[] = []
  /** Log messages of the protocol, apart: a server that sends many must not push out why it crashed. */
  #messages: LogLine[] = []
  #partial = ''

  constructor(limits: StderrRingLimits = {}) {
    this.#limits = { ...defaults, ...limits }
  }

  /** Takes the next piece of text, which may end in the middle of a line, and returns the lines it completed. */
  add(text: string): readonly LogLine[] {
    const { maxLineLength } = this.#limits
    const pieces = (this.#partial + text).split(/\r?\n/)
    // a line without an end must not grow for ever
    this.#partial = (pieces.pop() ?? '').slice(0, maxLineLength)
    return this.#keep(pieces)
  }

  /** Takes a line that is not of stderr, apart from an unfinished one there. */
  addLine(text: string, level?: LogLevel): readonly LogLine[] {
    return this.#keep([text], level)
  }

  #keep(pieces: readonly string[], level?: LogLevel): readonly LogLine[] {
    const { maxLines, maxLineLength } = this.#limits
    const at = Date.now()
    const severity = level === undefined ? {} : { level }
    const added = pieces.map((piece) => {
      return { at, text: copyOf(piece.slice(0, maxLineLength)), number: ++count, ...severity }
    })
    const kept = [...(level === undefined ? this.#lines : this.#messages), ...added].slice(-maxLines)
    if (level === undefined) this.#lines = kept
    else this.#messages = kept
    return added
  }

  /** Oldest first, the unfinished one last. */
  get lines(): readonly LogLine[] {
    const whole =
      this.#messages.length === 0
        ? this.#lines
        : [...this.#lines, ...this.#messages].sort((one, other) => one.number - other.number)
    if (this.#partial === '') return whole
    return [...whole, { at: Date.now(), text: this.#partial, number: count + 1, isUnfinished: true }]
  }

  /** The last line that says something. */
  get last(): string | undefined {
    return this.lines.findLast(({ text }) => text.trim() !== '' && !/^\((?:host|log)\) /.test(text))?.text
  }
}

/** The same text in memory of its own: V8 keeps all of the text that a piece was cut from, which may be megabytes. */
function copyOf(piece: string): string {
  return Buffer.from(piece).toString()
}
