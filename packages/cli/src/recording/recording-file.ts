import { closeSync, openSync, writeSync } from 'node:fs'
import { recordingHead } from './recording.ts'
import type { WireRecord } from './wire-line.ts'

/** How much of a conversation is kept: a server may say more than a disk holds. */
const maxRecordingBytes = 64 * 1024 * 1024

/** A recording that is being written; each message is in the file before the next one passes. */
export class RecordingFile implements Disposable {
  readonly #file: number
  readonly #warn: (message: string) => void
  readonly #maxBytes: number
  #bytes = 0

  constructor(path: string, warn: (message: string) => void, maxBytes = maxRecordingBytes) {
    // what others do not see of the conversation, they do not see of the file
    this.#file = openSync(path, 'w', 0o600)
    this.#warn = warn
    this.#maxBytes = maxBytes
    this.#write(recordingHead())
  }

  /** Adds a message, unless there are too many already. */
  keep(record: WireRecord): void {
    this.#write(record)
  }

  [Symbol.dispose](): void {
    closeSync(this.#file)
  }

  #write(line: object): void {
    if (this.#bytes > this.#maxBytes) return
    const text = `${JSON.stringify(line)}\n`
    this.#bytes += Buffer.byteLength(text)
    if (this.#bytes <= this.#maxBytes) writeSync(this.#file, text)
    else this.#warn(`The recording ends here: it may have ${this.#maxBytes} bytes`)
  }
}
