import type { ProcessInbox } from '../stores/cluster.ts'
import { LogReader } from './log-reader.ts'

/** Something that one process tells another; the name says what it is about. */
export interface ProcessEntry {
  readonly about: string
  /** Name of this entry, which no other has. */
  readonly entryId?: string
  readonly [name: string]: unknown
}

/** Handles what other processes say about something. */
export type EntryHandler = (entry: ProcessEntry) => Promise<void> | void

/** Dependencies of a reader. */
export interface InboxParts {
  readonly epoch: string
  readonly inbox: ProcessInbox
  /** False while this process is not in the cluster. */
  isOpen(): boolean
  failed(error: unknown): void
  report(error: unknown, what: string): void
}

/** Ids of handled entries that are remembered: no inbox keeps more entries, and so no more can come back. */
const maxHandledEntries = 10_000

/** Reads the inbox of a process, and hands each entry to its handler once. */
export class InboxReader {
  readonly #parts: InboxParts
  readonly #handlers = new Map<string, EntryHandler>()
  readonly #reader: LogReader
  /** Ids of the entries that were handled last. They may be in the inbox again, where a failover has lost that they were deleted. */
  readonly #handled = new Set<string>()
  #taken = 0
  #restarts = 0

  constructor(parts: InboxParts) {
    this.#parts = parts
    this.#reader = new LogReader(() => this.#take(), parts.failed)
  }

  /** Handles entries about something; the next ones wait for a returned promise. */
  on(about: string, handler: EntryHandler): void {
    this.#handlers.set(about, handler)
  }

  /** Resolves when all entries so far are handled. */
  wake(): Promise<void> {
    return this.#reader.wake()
  }

  /** The inbox may have lost entries, so that new ones have their numbers; those that are still there are not handled again. */
  restarted(): void {
    this.#taken = 0
    this.#restarts += 1
  }

  async #take(): Promise<boolean> {
    const { inbox, epoch, isOpen } = this.#parts
    if (!isOpen()) return false
    const [after, restarts] = [this.#taken, this.#restarts]
    const entries = await inbox.take(epoch, after)
    const handling = entries.map(({ number, data }) => {
      if (restarts === this.#restarts) this.#taken = number
      return this.#handle(data)
    })
    await Promise.all(handling)
    return entries.length > 0
  }

  async #handle(data: string): Promise<void> {
    try {
      const entry = JSON.parse(data) as ProcessEntry
      const { about, entryId } = entry
      if (entryId !== undefined && !this.#isFirst(entryId)) return
      await this.#handlers.get(about)?.(entry)
    } catch (error) {
      this.#parts.report(error, 'An entry of another process')
    }
  }
  #isFirst(entryId: string): boolean {
    if (this.#handled.has(entryId)) return false
    this.#handled.add(entryId)
    const [oldest = ''] = this.#handled
    if (this.#handled.size > maxHandledEntries) this.#handled.delete(oldest)
    return true
  }
}
