import { type FileHandle, mkdtemp, open, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import type { SpillFile, SpillPlace } from '../server/spill-file.ts'

/** Files that have lost their names: nothing of them is left when the process ends, however it ends. */
export const unnamedFiles: SpillPlace = {
  maxBytes: Number.POSITIVE_INFINITY,
  async open() {
    const folder = await mkdtemp(join(tmpdir(), 'trunkline-result-'))
    try {
      return new UnnamedFile(await open(join(folder, 'result'), 'wx+', 0o600))
    } finally {
      await rm(folder, { recursive: true, force: true })
    }
  },
}

class UnnamedFile implements SpillFile {
  readonly #file: FileHandle
  #size = 0

  constructor(file: FileHandle) {
    this.#file = file
  }

  async append(bytes: Uint8Array): Promise<void> {
    let done = 0
    while (done < bytes.length) {
      const { bytesWritten } = await this.#file.write(bytes, done, bytes.length - done, this.#size)
      done += bytesWritten
      this.#size += bytesWritten
    }
  }

  async read(from: number, to: number): Promise<Uint8Array> {
    const bytes = new Uint8Array(Math.max(0, Math.min(to, this.#size) - from))
    let done = 0
    while (done < bytes.length) {
      const { bytesRead } = await this.#file.read(bytes, done, bytes.length - done, from + done)
      if (bytesRead === 0) break
      done += bytesRead
    }
    return bytes.subarray(0, done)
  }

  close(): Promise<void> {
    return this.#file.close()
  }
}
