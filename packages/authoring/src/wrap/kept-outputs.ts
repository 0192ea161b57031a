import { randomUUID } from 'node:crypto'
import { closeSync, mkdtempSync, openSync, readSync, rmSync, statSync, writeSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import type { KeptBytes } from '@trunkline/mcp/contract'
import type { WrapLimits } from './wrap-limits.ts'

/** The folder of outputs that were too long for a result; it is gone when this process is. */
export class KeptOutputs {
  readonly #limits: WrapLimits
  /** By id, oldest first, with the bytes of each. */
  readonly #sizes = new Map<string, number>()
  #folder: string | undefined
  #bytes = 0

  constructor(limits: WrapLimits) {
    this.#limits = limits
  }

  /** A new file for an output. */
  begin(): KeptFile {
    if (this.#folder === undefined) {
      const folder = mkdtempSync(join(tmpdir(), 'trunkline-wrap-'))
      process.on('exit', () => rmSync(folder, { recursive: true, force: true }))
      this.#folder = folder
    }
    const id = randomUUID()
    return new KeptFile(id, openSync(join(this.#folder, id), 'wx', 0o600), (bytes) => this.#keep(id, bytes))
  }

  /** Some bytes of an output, and how many it has; undefined when it is not kept any more. */
  read(id: string, from: number, bytes: number): { readonly bytes: Uint8Array; readonly total: number } | undefined {
    if (!this.#sizes.has(id) || this.#folder === undefined) return undefined
    const path = join(this.#folder, id)
    const total = statSync(path).size
    const buffer = Buffer.alloc(Math.max(0, Math.min(bytes, total - from)))
    const file = openSync(path, 'r')
    try {
      return { bytes: buffer.subarray(0, readSync(file, buffer, 0, buffer.length, from)), total }
    } finally {
      closeSync(file)
    }
  }

  /** An output in which lines and texts can be looked for; undefined when it is not kept any more. */
  find(id: string): KeptBytes | undefined {
    const size = this.#sizes.get(id)
    if (size === undefined) return undefined
    const read = async (from: number, to: number) => this.read(id, from, to - from)?.bytes ?? new Uint8Array(0)
    return { file: { read }, size, marks: [] }
  }

  #keep(id: string, bytes: number): void {
    this.#sizes.set(id, bytes)
    this.#bytes += bytes
    for (const [oldest, size] of this.#sizes) {
      if (this.#sizes.size <= this.#limits.maxKeptOutputs && this.#bytes <= this.#limits.maxKeptBytes) return
      this.#sizes.delete(oldest)
      this.#bytes -= size
      rmSync(join(this.#folder as string, oldest), { force: true })
    }
  }
}

/** A file that an output is written to while it comes. */
export class KeptFile {
  readonly id: string
  readonly #file: number
  readonly #onEnd: (bytes: number) => void
  #bytes = 0

  constructor(id: string, file: number, onEnd: (bytes: number) => void) {
    this.id = id
    this.#file = file
    this.#onEnd = onEnd
  }

  write(bytes: Uint8Array): void {
    writeSync(this.#file, bytes)
    this.#bytes += bytes.length
  }

  end(): void {
    closeSync(this.#file)
    this.#onEnd(this.#bytes)
  }
}
