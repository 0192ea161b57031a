import { randomInt } from 'node:crypto'
import { isSameSecret } from '../principals/same-secret.ts'

/** A code that a terminal shows and a page asks for, so that no page starts a program alone. */
export interface AcceptCode {
  readonly server: string
  readonly code: string
  readonly expiresAt: number
}

/** How long a code can be typed, in milliseconds. */
const codeMs = 120_000
/** Wrong codes before another one has to be made. */
const maxTries = 3
/** Servers that wait for their codes; beyond it the oldest code is forgotten. */
const maxCodes = 100

/** The codes with which servers are accepted from a page, one for each server. */
export class AcceptCodes {
  readonly #codes = new Map<string, AcceptCode & { readonly commandHash: string; triesLeft: number }>()

  /** Makes the code for a server with exactly this command; an earlier one ends. */
  make(server: string, commandHash: string): AcceptCode {
    const code = String(randomInt(1_000_000)).padStart(6, '0')
    const made = { server, code, expiresAt: Date.now() + codeMs }
    this.#codes.delete(server)
    this.#codes.set(server, { ...made, commandHash, triesLeft: maxTries })
    const [oldest] = this.#codes.keys()
    if (this.#codes.size > maxCodes && oldest !== undefined) this.#codes.delete(oldest)
    return made
  }

  /** Those that can be typed now. */
  get open(): readonly AcceptCode[] {
    const now = Date.now()
    const good = [...this.#codes.values()].filter(({ expiresAt }) => expiresAt > now)
    return good.map(({ server, code, expiresAt }) => ({ server, code, expiresAt }))
  }

  /** Whether this is the code for a server and its command; it is good once, and guessing ends it. */
  spend(server: string, commandHash: string, code: string): boolean {
    const made = this.#codes.get(server)
    if (!made || made.expiresAt <= Date.now() || made.commandHash !== commandHash) return false
    const isRight = isSameSecret(code, made.code)
    made.triesLeft -= 1
    if (isRight || made.triesLeft === 0) this.#codes.delete(server)
    return isRight
  }
}
