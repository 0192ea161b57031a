import { readFile } from 'node:fs/promises'
import { withLock } from '../store/lock-file.ts'
import { writeFileWhole } from '../store/write-file.ts'

/** A configuration file as text, empty when there is none. */
export class OwnFile {
  readonly #file: string
  readonly #changed: (file: string) => Promise<void>

  /** Calls `changed` when it has written the file. */
  constructor(file: string, changed: (file: string) => Promise<void>) {
    this.#file = file
    this.#changed = changed
  }

  async read(): Promise<{ readonly file: string; readonly text: string }> {
    const text = await readFile(this.#file, 'utf8').catch((error: NodeJS.ErrnoException) => {
      if (error.code === 'ENOENT' || error.code === 'ENOTDIR') return ''
      throw new Error(`Cannot read "${this.#file}": ${error.code}; make it readable for you`, { cause: error })
    })
    return { file: this.#file, text }
  }

  /** Writes what `next` makes of the present text, under a lock. */
  async write(next: (before: string) => string): Promise<void> {
    await withLock(`${this.#file}.lock`, async () => {
      const { text } = await this.read()
      await writeFileWhole(this.#file, next(text))
    })
    await this.#changed(this.#file)
  }
}
