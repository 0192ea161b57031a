const newline = 10

/** Cuts a stream of bytes into lines; a line that arrives in parts is joined once, when its end is there. */
export class Lines {
  #parts: Buffer[] = []

  /** The lines that end in this chunk. */
  take(chunk: Buffer): string[] {
    const lines: string[] = []
    let start = 0
    for (let end = chunk.indexOf(newline); end >= 0; end = chunk.indexOf(newline, start)) {
      lines.push(this.#join(chunk.subarray(start, end)))
      start = end + 1
    }
    if (start < chunk.length) this.#parts.push(chunk.subarray(start))
    return lines
  }

  #join(last: Buffer): string {
    if (this.#parts.length === 0) return last.toString()
    const line = Buffer.concat([...this.#parts, last]).toString()
    this.#parts = []
    return line
  }
}
