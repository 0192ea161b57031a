/** The line, counted from 1, of each position in a text. */
export class Lines {
  readonly #starts: readonly number[]

  constructor(text: string) {
    const starts = [0]
    for (let at = text.indexOf('\n'); at >= 0; at = text.indexOf('\n', at + 1)) starts.push(at + 1)
    this.#starts = starts
  }

  /** The line that holds a position. */
  at(offset: number): number {
    let low = 0
    let high = this.#starts.length - 1
    while (low < high) {
      const middle = Math.ceil((low + high) / 2)
      if ((this.#starts[middle] ?? 0) <= offset) low = middle
      else high = middle - 1
    }
    return low + 1
  }
}

/** Line ends and indentation of a text. */
export interface Style {
  readonly lineEnd: '\n' | '\r\n'
  readonly indent: string
  /** True if the text has more than one line. */
  readonly spread: boolean
}

/** The style of a text, as its first line end and its first indented line have it. */
export function styleOf(text: string): Style {
  const [lineEnd = ''] = /\r?\n/.exec(text) ?? []
  const [, indent = '  '] = /\n([ \t]+)[^\s]/.exec(text) ?? []
  return { lineEnd: lineEnd === '\r\n' ? '\r\n' : '\n', indent, spread: lineEnd !== '' || text.trim() === '' }
}
