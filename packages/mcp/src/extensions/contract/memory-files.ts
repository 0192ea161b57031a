import type { SpillFile, SpillPlace } from './server/spill-file.ts'

/** Keeps large results in memory, where there is no file system. */
export const memoryFiles: SpillPlace = {
  maxBytes: 67_108_864,
  async open() {
    return new MemoryFile()
  },
}

class MemoryFile implements SpillFile {
  #pieces: { readonly at: number; readonly bytes: Uint8Array }[] = []
  #size = 0

  async append(bytes: Uint8Array): Promise<void> {
    this.#pieces.push({ at: this.#size, bytes: bytes.slice() })
    this.#size += bytes.length
  }

  async read(from: number, to: number): Promise<Uint8Array> {
    const end = Math.min(to, this.#size)
    const read = new Uint8Array(Math.max(0, end - from))
    for (const { at, bytes } of this.#pieces) {
      if (at + bytes.length <= from || at >= end) continue
      read.set(bytes.subarray(Math.max(0, from - at), end - at), Math.max(0, at - from))
    }
    return read
  }

  async close(): Promise<void> {
    this.#pieces = []
    this.#size = 0
  }
}
