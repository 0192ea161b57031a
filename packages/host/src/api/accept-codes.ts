import { randomInt } from 'node:crypto'
import { BoundedMap } from '@trunkline/base/bounded-map'
import { isSameSecret } from '../gateway/principals/same-secret.ts'
import { hashOf } from '../text/json-hash.ts'
import { ApiError } from './api-error.ts'

/** A code that a terminal shows and a page asks for, so that no page starts a program alone. */
export interface AcceptCode {
  readonly server: string
  /** The servers that it accepts together. @default the one server */
  readonly servers?: readonly string[]
  /** The program that it lets in, instead of a server. @default none */
  readonly client?: string
  readonly code: string
  readonly expiresAt: number
}

/** A server, and the hash of the command that a person saw. */
export interface ShownServer {
  readonly server: string
  readonly commandHash: string
}

/** Stands for all servers of one code, which share the count of codes; no server has this name. */
const severalServers = 'several servers'

/** Validity of a code, in milliseconds. */
const codeMs = 120_000
/** Wrong codes before another one has to be made. */
const maxTries = 3
/** Servers that wait for their codes; beyond it the oldest code is forgotten. */
const maxCodes = 100
/** Codes that are made for one server in any hour, so that guessing ends. */
const maxCodesPerHour = 10
const hourMs = 3_600_000
const minuteMs = 60_000
/** Servers whose codes are counted; beyond it the one counted first is forgotten. */
const maxCounted = 1_000

/** The codes with which servers are accepted from a page, one for each server. */
export class AcceptCodes {
  readonly #codes = new BoundedMap<string, AcceptCode & { readonly commandHash: string; triesLeft: number }>(maxCodes)

  /** The times at which codes were made in the last hour, oldest first. */
  readonly #madeAt = new BoundedMap<string, readonly number[]>(maxCounted)

  /** Makes the code for a server with exactly this command; an earlier one ends. */
  make(server: string, commandHash: string): AcceptCode {
    this.#count(server)
    const code = String(randomInt(1_000_000)).padStart(6, '0')
    const made = { server, code, expiresAt: Date.now() + codeMs }
    this.#codes.set(server, { ...made, commandHash, triesLeft: maxTries })
    return made
  }

  #count(server: string): void {
    const now = Date.now()
    const made = (this.#madeAt.get(server) ?? []).filter((at) => at > now - hourMs)
    const [first = now] = made
    if (made.length >= maxCodesPerHour) {
      const minutes = Math.ceil((first + hourMs - now) / minuteMs)
      const why = `${maxCodesPerHour} codes were made for it in the last hour; the next one can be made in ${minutes} minutes`
      throw new ApiError(429, `Cannot make a code for server "${server}": ${why}, or run "trunkline accept ${server}"`)
    }
    this.#madeAt.set(server, [...made, now])
  }

  /** Makes one code for several servers, each with the command that was shown. */
  makeForAll(shown: readonly ShownServer[]): AcceptCode {
    const servers = shown.map(({ server }) => server)
    return { ...this.make(severalServers, hashOf(shown)), servers }
  }

  /** True if this is the code for exactly these servers and commands. */
  spendForAll(shown: readonly ShownServer[], code: string): boolean {
    return this.spend(severalServers, hashOf(shown), code)
  }

  /** Codes that can be typed now. */
  get open(): readonly AcceptCode[] {
    const now = Date.now()
    const good = [...this.#codes.values()].filter(({ expiresAt }) => expiresAt > now)
    return good.map(({ server, code, expiresAt }) => ({ server, code, expiresAt }))
  }

  /** True if this is the code for a server and its command; it is good once, and guessing ends it. */
  spend(server: string, commandHash: string, code: string): boolean {
    const made = this.#codes.get(server)
    if (!made || made.expiresAt <= Date.now() || made.commandHash !== commandHash) return false
    const isRight = isSameSecret(code, made.code)
    made.triesLeft -= 1
    if (isRight || made.triesLeft === 0) this.#codes.delete(server)
    return isRight
  }
}
