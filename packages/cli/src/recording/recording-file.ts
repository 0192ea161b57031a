import { closeSync, openSync, writeSync } from 'node:fs'
import { recordingHead } from './recording.ts'
import type { WireRecord } from './wire-line.ts'

/** Limit of a recording: a server may send more than a disk holds. */
const maxRecordingBytes = 64 * 1024 * 1024

export interface RecordingOptions {
  /** Told once when the recording is as long as it may be. */
  readonly onLimit: (message: string) => void
  /** Told once when the disk takes no more of it. */
  readonly onError: (error: Error) => void
  /** Replaces a file that is there. @default false */
  readonly replaces?: boolean
  /** @default 64 MiB */
  readonly maxBytes?: number
}

/** A recording that is being written; each message is in the file before the next one passes. */
export class RecordingFile implements Disposable {
  readonly #file: number
  readonly #options: RecordingOptions
  readonly #maxBytes: number
  #bytes = 0

  constructor(path: string, options: RecordingOptions) {
    // the file is as private as the conversation
    this.#file = openSync(path, options.replaces ? 'w' : 'wx', 0o600)
    this.#options = options
    this.#maxBytes = options.maxBytes ?? maxRecordingBytes
    this.#write(recordingHead())
  }

  /** Adds a message, unless there are too many already. */
  keep(record: WireRecord): void {
    try {
      this.#write(record)
    } catch (error) {
      this.#bytes = Number.POSITIVE_INFINITY
      this.#options.onError(error as Error)
    }
  }

  [Symbol.dispose](): void {
    closeSync(this.#file)
  }

  #write(line: object): void {
    if (this.#bytes > this.#maxBytes) return
    const text = `${JSON.stringify(line)}\n`
    this.#bytes += Buffer.byteLength(text)
    if (this.#bytes <= this.#maxBytes) writeSync(this.#file, text)
    else this.#options.onLimit(`The recording ends here: it may have ${this.#maxBytes} bytes`)
  }
}
