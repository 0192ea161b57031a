import { createHash, randomBytes } from 'node:crypto'
import { BoundedMap } from '@trunkline/base/bounded-map'
import type { Store } from '../store/store.ts'
import { PageLoginTable } from '../store/tables/page-login-table.ts'

/** Time in which a code can be traded, in milliseconds. */
const codeMs = 60_000
/** The same for a code that an open page hands to a new one at once. */
const handedMs = 10_000
/** Validity of a page's secret: a page left open for a week is forgotten. */
const secretMs = 7 * 24 * 3_600_000
/** Codes and pages that are remembered; beyond it the oldest are forgotten. */
const maxRemembered = 100

/**
 * Signs pages in: a one-time code from the terminal is exchanged for a secret of that page. The store keeps hashes of the
 * secrets, so that an open page goes on after the host was started anew.
 */
export class PageLogins {
  readonly #store: Store
  readonly #table: PageLoginTable
  readonly #codes = new BoundedMap<string, number>(maxRemembered)

  constructor(store: Store) {
    this.#store = store
    this.#table = new PageLoginTable(store)
  }

  makeCode(): { readonly code: string; readonly expiresAt: number } {
    return this.#codeFor(codeMs)
  }

  /** A code for a new page of the same browser, by which an open one vouches for it. */
  makeHandedCode(): { readonly code: string; readonly expiresAt: number } {
    return this.#codeFor(handedMs)
  }

  #codeFor(ms: number): { readonly code: string; readonly expiresAt: number } {
    const code = randomBytes(16).toString('base64url')
    const expiresAt = Date.now() + ms
    this.#codes.set(code, expiresAt)
    return { code, expiresAt }
  }

  /** The secret for a code; nothing for one that was traded, is too old, or was never made. */
  async trade(code: string): Promise<string | undefined> {
    const expiresAt = this.#codes.take(code)
    if (expiresAt === undefined || expiresAt < Date.now()) return undefined
    const secret = randomBytes(32).toString('base64url')
    await this.#store.durable(() => {
      this.#table.insert(hashOf(secret), Date.now() + secretMs)
      this.#table.keepNewest(maxRemembered)
    })
    return secret
  }

  /** True if a page with this secret is signed in. */
  knows(secret: string): boolean {
    const until = this.#table.untilOf(hashOf(secret))
    return until !== undefined && until > Date.now()
  }
}

function hashOf(secret: string): string {
  return createHash('sha256').update(secret).digest('hex')
}
