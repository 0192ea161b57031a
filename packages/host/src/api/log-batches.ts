import type { LogLine } from '../servers/stderr-ring.ts'
import type { HostEvent } from './events.ts'

/** Lines of one batch; a server keeps no more of them either. */
export const maxBatchLines = 1_000
/** Log events are sent at most this often. */
const togetherMs = 100

interface Batch {
  lines: LogLine[]
  dropped: number
}

/** Reports the stderr of servers in batches: one that writes thousands of lines a second is few events. */
export class LogBatches {
  readonly #tell: (event: HostEvent) => void
  readonly #batches = new Map<string, Batch>()
  #timer: NodeJS.Timeout | undefined

  constructor(tell: (event: HostEvent) => void) {
    this.#tell = tell
  }

  add(server: string, lines: readonly LogLine[]): void {
    const batch = this.#batches.get(server) ?? { lines: [], dropped: 0 }
    this.#batches.set(server, batch)
    for (const line of lines) batch.lines.push(line)
    // trimmed at twice the limit, so that a line costs no copy of all others
    if (batch.lines.length >= 2 * maxBatchLines) trim(batch)
    this.#timer ??= setTimeout(() => this.flush(), togetherMs).unref()
  }

  /** Reports the waiting lines. */
  flush(): void {
    clearTimeout(this.#timer)
    this.#timer = undefined
    for (const [server, batch] of this.#batches) {
      trim(batch)
      const { lines, dropped } = batch
      this.#tell({ event: 'log', server, lines, ...(dropped > 0 && { dropped }) })
    }
    this.#batches.clear()
  }
}

function trim(batch: Batch): void {
  const excess = batch.lines.length - maxBatchLines
  if (excess <= 0) return
  batch.lines = batch.lines.slice(excess)
  batch.dropped += excess
}
