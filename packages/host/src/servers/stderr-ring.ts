/** A line of a server's log. */
export interface LogLine {
  readonly at: number
  readonly text: string
  /** Grows from line to line, over all servers, so that it names one line whatever becomes of its server. */
  readonly number: number
  /** True while the server has not ended the line; it comes again, with another number, when it has. @default false */
  readonly isUnfinished?: boolean
}

/** Number of lines in this process. */
let count = 0

export interface StderrRingLimits {
  /** @default 1_000 */
  readonly maxLines?: number
  /** Characters of one line; the rest of it is dropped. @default 4_096 */
  readonly maxLineLength?: number
}

const defaults = { maxLines: 1_000, maxLineLength: 4_096 } as const satisfies StderrRingLimits

/** The last lines that a server wrote to stderr. */
export class StderrRing {
  readonly #limits: Required<StderrRingLimits>
  #lines: LogLine[] = []
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
  addLine(text: string): readonly LogLine[] {
    return this.#keep([text])
  }

  #keep(pieces: readonly string[]): readonly LogLine[] {
    const { maxLines, maxLineLength } = this.#limits
    const at = Date.now()
    const added = pieces.map((piece) => ({ at, text: copyOf(piece.slice(0, maxLineLength)), number: ++count }))
    this.#lines.push(...added.slice(-maxLines))
    if (this.#lines.length > maxLines) this.#lines = this.#lines.slice(-maxLines)
    return added
  }

  /** Oldest first, the unfinished one last. */
  get lines(): readonly LogLine[] {
    if (this.#partial === '') return this.#lines
    return [...this.#lines, { at: Date.now(), text: this.#partial, number: count + 1, isUnfinished: true }]
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
