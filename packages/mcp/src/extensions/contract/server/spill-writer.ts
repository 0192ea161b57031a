import type { SpillFile } from './spill-file.ts'
import { type KeptBytes, type LineMark, markBytes, newlines } from './spill-reader.ts'

/** The parts of a large result that the answer shows. */
export interface HeadAndTail {
  readonly head: string
  readonly tail: string
}

/** Writes a result into a file, and keeps its first and last bytes. */
export class SpillWriter {
  readonly #file: SpillFile
  readonly #endBytes: number
  readonly #buffer = new Uint8Array(markBytes)
  readonly #marks: LineMark[] = []
  readonly #decoder = new TextDecoder('utf-8', { fatal: true })
  #isText = true
  #buffered = 0
  #size = 0
  #lines = 0
  #head = new Uint8Array(0)
  #tail = new Uint8Array(0)

  constructor(file: SpillFile, endBytes: number) {
    this.#file = file
    this.#endBytes = endBytes
  }

  get size(): number {
    return this.#size + this.#buffered
  }

  /** True if all of it is UTF-8. */
  get isText(): boolean {
    return this.#isText
  }

  get kept(): KeptBytes & { readonly file: SpillFile } {
    return { file: this.#file, size: this.#size, marks: this.#marks }
  }

  /** Takes bytes in pieces of any size. */
  async write(bytes: Uint8Array): Promise<void> {
    for (let at = 0; at < bytes.length; ) {
      const piece = bytes.subarray(at, at + markBytes - this.#buffered)
      this.#buffer.set(piece, this.#buffered)
      this.#buffered += piece.length
      at += piece.length
      if (this.#buffered === markBytes) await this.#flush()
    }
  }

  async #flush(): Promise<void> {
    const bytes = this.#buffer.subarray(0, this.#buffered)
    this.#buffered = 0
    this.#marks.push({ byte: this.#size, lines: this.#lines })
    await this.#file.append(bytes)
    this.#size += bytes.length
    this.#lines += newlines(bytes, 0, bytes.length)
    this.#read(bytes)
    if (this.#head.length < this.#endBytes)
      this.#head = joined(this.#head, bytes.subarray(0, this.#endBytes - this.#head.length))
    const tail = joined(this.#tail, bytes)
    this.#tail = tail.slice(Math.max(0, tail.length - this.#endBytes))
  }

  #read(bytes?: Uint8Array): void {
    if (!this.#isText) return
    try {
      this.#decoder.decode(bytes, { stream: bytes !== undefined })
    } catch {
      this.#isText = false
    }
  }

  /** Nothing more comes. */
  async end(): Promise<void> {
    await this.#flush()
    this.#read()
  }

  /** Head and tail as text, without half characters. */
  get ends(): HeadAndTail {
    const head = new TextDecoder('utf-8', { ignoreBOM: true }).decode(this.#head, { stream: true })
    const start = this.#tail.findIndex((byte) => (byte & 0xc0) !== 0x80)
    return { head, tail: new TextDecoder().decode(this.#tail.subarray(Math.max(0, start))) }
  }
}

function joined(one: Uint8Array, other: Uint8Array): Uint8Array<ArrayBuffer> {
  const both = new Uint8Array(one.length + other.length)
  both.set(one)
  both.set(other, one.length)
  return both
}
