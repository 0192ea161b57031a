import type { Inbox } from '../inbox/inbox.ts'
import type { Ledger } from '../ledger/ledger.ts'
import type { Spills } from '../relay/spills/spills.ts'
import type { Outcomes } from '../relay/terms/outcomes.ts'

/** Records of past acts that are deleted with age. */
export interface RetentionParts {
  readonly ledger: Ledger
  readonly inbox: Inbox
  readonly spills: Spills
  readonly outcomes: Outcomes
}

/** For how long, and how much. */
export interface RetentionLimits {
  /** Days that arguments and results are kept, and questions about them. */
  readonly keepDays: number
  /** Megabytes that arguments and results may take. */
  readonly maxMb: number
  /** Days that the ledger is kept. */
  readonly chainDays: number
}

export interface RetentionOptions {
  /** Milliseconds until old things are first looked for, and from then on between two looks. @default a minute, an hour */
  readonly firstMs?: number
  readonly everyMs?: number
  onError?(error: unknown): void
  /** Old things were removed. */
  onPruned?(): void
}

const defaults = { firstMs: 60_000, everyMs: 3_600_000 } as const satisfies RetentionOptions
const usual: RetentionLimits = { keepDays: 14, maxMb: 512, chainDays: 365 }
const dayMs = 24 * 3_600_000
/** Largest drift of two clocks between two checks; beyond it, neither is trusted. */
const maxDriftMs = 10 * 60_000

/** Removes records that are too old or too many, from time to time. */
export class Retention {
  readonly #parts: RetentionParts
  readonly #options: RetentionOptions
  #limits = usual
  #timer: NodeJS.Timeout | undefined
  #running: Promise<void> = Promise.resolve()
  #wall = Date.now()
  #steady = performance.now()

  constructor(parts: RetentionParts, options: RetentionOptions = {}) {
    this.#parts = parts
    this.#options = options
    this.limits = usual
  }

  get limits(): RetentionLimits {
    return this.#limits
  }

  set limits(limits: RetentionLimits) {
    this.#limits = limits
    this.#parts.ledger.payloads.limits = {
      maxAgeMs: limits.keepDays * dayMs,
      maxTotalBytes: limits.maxMb * 1024 ** 2,
    }
  }

  /** Looks for old things from now on. */
  start(): void {
    this.#schedule(this.#options.firstMs ?? defaults.firstMs)
  }

  async stop(): Promise<void> {
    clearTimeout(this.#timer)
    await this.#running
  }

  /** Removes records that are too old at a time, or too many. */
  async prune(now = Date.now()): Promise<void> {
    const { ledger, inbox, spills, outcomes } = this.#parts
    const { keepDays, chainDays } = this.#limits
    await spills.prune(now)
    await outcomes.known.prune(now)
    await ledger.payloads.prune(now)
    await inbox.prune(now - keepDays * dayMs)
    await ledger.prune(now - chainDays * dayMs)
  }

  #schedule(waitMs: number): void {
    this.#timer = setTimeout(() => {
      this.#running = this.#look()
    }, waitMs)
    this.#timer.unref()
  }

  async #look(): Promise<void> {
    const { everyMs = defaults.everyMs, onError, onPruned } = this.#options
    try {
      if (this.#isClockSteady()) await this.prune()
      onPruned?.()
    } catch (error) {
      onError?.(error)
    }
    this.#schedule(everyMs)
  }

  // deletion is final, so a clock that jumped ahead is not trusted before the next check
  #isClockSteady(): boolean {
    const [wall, steady] = [Date.now(), performance.now()]
    const drift = wall - this.#wall - (steady - this.#steady)
    this.#wall = wall
    this.#steady = steady
    return Math.abs(drift) <= maxDriftMs
  }
}
