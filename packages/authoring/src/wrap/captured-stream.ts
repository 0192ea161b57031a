import type { KeptFile, KeptOutputs } from './kept-outputs.ts'
import type { WrapLimits } from './wrap-limits.ts'

/** Captured output of a stream: its beginning, and where all of it is when that is not all. */
export interface CapturedOutput {
  readonly head: Uint8Array
  /** The last bytes, where the beginning is not all. */
  readonly tail?: Uint8Array
  /** All that was written, thrown away or not. */
  readonly total: number
  /** Id and size of the whole output. */
  readonly kept?: { readonly id: string; readonly bytes: number }
}

/** The bytes of the end that a result carries. */
const tailBytes = 2_048

/** Takes what a program writes; the memory that this needs does not grow with it. */
export class CapturedStream {
  readonly #outputs: KeptOutputs
  readonly #limits: WrapLimits
  #head: Buffer[] = []
  #headBytes = 0
  #tail: Buffer = Buffer.alloc(0)
  #total = 0
  #file: KeptFile | undefined

  constructor(outputs: KeptOutputs, limits: WrapLimits) {
    this.#outputs = outputs
    this.#limits = limits
  }

  take(chunk: Buffer): void {
    const { maxInlineBytes, maxOutputBytes } = this.#limits
    const before = this.#total
    this.#total += chunk.length
    if (this.#file === undefined && this.#total > maxInlineBytes) {
      this.#file = this.#outputs.begin()
      for (const piece of this.#head) this.#file.write(piece)
    }
    if (before < maxOutputBytes) this.#file?.write(chunk.subarray(0, maxOutputBytes - before))
    const room = maxInlineBytes - this.#headBytes
    const rest = chunk.subarray(Math.max(0, room))
    if (rest.length > 0) this.#tail = Buffer.concat([this.#tail, rest.subarray(-tailBytes)]).subarray(-tailBytes)
    if (room <= 0) return
    const piece = chunk.subarray(0, room)
    this.#head.push(piece)
    this.#headBytes += piece.length
  }

  end(): CapturedOutput {
    this.#file?.end()
    const kept = this.#file && { id: this.#file.id, bytes: Math.min(this.#total, this.#limits.maxOutputBytes) }
    return { head: Buffer.concat(this.#head), total: this.#total, ...(kept && { kept, tail: this.#tail }) }
  }
}
