import type { Fields } from '@trunkline/mcp'
import type { Store } from '../../store/store.ts'

/** Limits of the remembered outcomes of calls with a key. */
export interface OutcomeLimits {
  /** Calls that are remembered for one principal; the oldest goes first. @default 1_000 */
  readonly maxPerPrincipal?: number
  /** Bytes of results that are remembered for all principals; the oldest go first. @default 64 MiB */
  readonly maxTotalBytes?: number
  /** Milliseconds that a call is remembered. @default 24 hours */
  readonly maxAgeMs?: number
}

const defaults = {
  maxPerPrincipal: 1_000,
  maxTotalBytes: 64 * 1024 ** 2,
  maxAgeMs: 24 * 3_600_000,
} as const satisfies OutcomeLimits

/** Bytes that a row takes beside its result. */
const rowBytes = 300

/** Known outcome of a call with a key; without a result it began, and its end is unknown. */
export interface KnownOutcome {
  readonly arguments: string
  readonly result: Fields | undefined
}

/** The rows of calls with a key. */
export class OutcomeTable {
  readonly #store: Store
  readonly #limits: Required<OutcomeLimits>

  constructor(store: Store, limits: OutcomeLimits = {}) {
    this.#store = store
    this.#limits = { ...defaults, ...limits }
  }

  find(key: string, now = Date.now()): KnownOutcome | undefined {
    const row = this.#store.database.prepare('SELECT * FROM outcome WHERE key = ? AND expires > ?').get(key, now)
    if (!row) return undefined
    const { arguments: args, result } = row
    return { arguments: String(args), result: result === null ? undefined : (JSON.parse(String(result)) as Fields) }
  }

  /** Notes that a call begins, before it leaves. */
  async begin(key: string, principal: string, args: string): Promise<void> {
    const { maxAgeMs } = this.#limits
    await this.#store.batch(() => {
      this.#store.database
        .prepare('INSERT OR REPLACE INTO outcome (key, principal, arguments, expires, bytes) VALUES (?, ?, ?, ?, ?)')
        .run(key, principal, args, Date.now() + maxAgeMs, rowBytes)
      this.#makeRoom(principal)
    })
  }

  /** Keeps the outcome of a call; of one that is larger than the limit, only its size. */
  async done(key: string, result: Fields): Promise<void> {
    const whole = JSON.stringify(result)
    const text = whole.length + rowBytes > this.#limits.maxTotalBytes ? JSON.stringify(tooLarge(whole.length)) : whole
    await this.#store.batch(() => {
      const { database } = this.#store
      const bytes = Buffer.byteLength(text) + rowBytes
      database.prepare('UPDATE outcome SET result = ?, bytes = ? WHERE key = ?').run(text, bytes, key)
      const row = database.prepare('SELECT principal FROM outcome WHERE key = ?').get(key)
      if (row) this.#makeRoom(String(row.principal))
    })
  }

  /** Forgets a call that did not take place. */
  async remove(key: string): Promise<void> {
    await this.#store.batch(() => {
      this.#store.database.prepare('DELETE FROM outcome WHERE key = ?').run(key)
    })
  }

  /** Removes old outcomes. */
  async prune(now = Date.now()): Promise<void> {
    await this.#store.batch(() => {
      this.#store.database.prepare('DELETE FROM outcome WHERE expires <= ?').run(now)
    })
  }

  get size(): { readonly rows: number; readonly bytes: number } {
    const row = this.#store.database.prepare('SELECT count(*) AS rows, total(bytes) AS bytes FROM outcome').get()
    return { rows: Number(row?.rows), bytes: Number(row?.bytes) }
  }

  #makeRoom(principal: string): void {
    const { maxPerPrincipal, maxTotalBytes } = this.#limits
    const { database } = this.#store
    const beyond = 'SELECT number FROM outcome WHERE principal = ? ORDER BY number DESC LIMIT -1 OFFSET ?'
    database.prepare(`DELETE FROM outcome WHERE number IN (${beyond})`).run(principal, maxPerPrincipal)
    const running = 'SELECT number, sum(bytes) OVER (ORDER BY number DESC) AS sum FROM outcome'
    database
      .prepare(`DELETE FROM outcome WHERE number IN (SELECT number FROM (${running}) WHERE sum > ?)`)
      .run(maxTotalBytes)
  }
}

function tooLarge(chars: number): Fields {
  const text = `The call took effect. Its result of ${chars} characters was too large to be kept for a repeat`
  return { content: [{ type: 'text', text }], isError: true }
}
