import { randomBytes } from 'node:crypto'

/** How long a code can be traded, in milliseconds. */
const codeMs = 60_000
/** A page that nobody closed in a week is forgotten. */
const secretMs = 7 * 24 * 3_600_000
/** Codes and pages that are remembered; beyond it the oldest are forgotten. */
const maxRemembered = 100

/** Authenticates pages: a one-time code from the terminal is exchanged for a secret of that page. */
export class PageSecrets {
  readonly #codes = new Map<string, number>()
  readonly #secrets = new Map<string, number>()

  makeCode(): { readonly code: string; readonly expiresAt: number } {
    const code = randomBytes(16).toString('base64url')
    const expiresAt = Date.now() + codeMs
    remember(this.#codes, code, expiresAt)
    return { code, expiresAt }
  }

  /** The secret for a code; nothing for one that was traded, is too old, or was never made. */
  trade(code: string): string | undefined {
    const expiresAt = this.#codes.get(code)
    this.#codes.delete(code)
    if (expiresAt === undefined || expiresAt < Date.now()) return undefined
    const secret = randomBytes(32).toString('base64url')
    remember(this.#secrets, secret, Date.now() + secretMs)
    return secret
  }

  knows(secret: string): boolean {
    return (this.#secrets.get(secret) ?? 0) > Date.now()
  }
}

function remember(map: Map<string, number>, key: string, until: number): void {
  map.set(key, until)
  const [oldest] = map.keys()
  if (map.size > maxRemembered && oldest !== undefined) map.delete(oldest)
}
