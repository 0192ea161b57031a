import { calculateJwkThumbprint, EmbeddedJWK, errors, type JWTPayload, jwtVerify } from 'jose'
import type { ProofIds } from '../../../stores/cluster.ts'
import { toBase64url } from '../../../wire/base64url.ts'
import { AuthError } from '../../shared/auth-error.ts'
import { TokenProblem } from '../token-problem.ts'
import { Nonces } from './nonces.ts'
import { ReplayCache } from './replay-cache.ts'

/**
 * Options of DPoP: checking that a token is used by the client it was issued to. @see
 * https://www.rfc-editor.org/rfc/rfc9449
 */
export interface DpopOptions {
  /** Refuses bearer tokens. @default false */
  readonly required?: boolean
  /** Requires a recent nonce of this server in proofs. @default false */
  readonly nonce?: boolean
  /** Milliseconds for which a nonce is valid. @default 240_000 */
  readonly nonceMs?: number
  /** Secrets of at least 32 characters for nonces; the first signs, all verify. @default a random one */
  readonly keys?: readonly (string | Uint8Array)[]
  /** Milliseconds after which a proof is too old. @default 60_000 */
  readonly ageMs?: number
  /** @default the elliptic curves, and RSA with PSS */
  readonly algorithms?: readonly string[]
  /** Remembers the proofs of several processes. @default they are remembered in this process */
  readonly used?: ProofIds
}

export const dpopDefaults = {
  required: false,
  nonce: false,
  nonceMs: 240_000,
  ageMs: 60_000,
  algorithms: ['ES256', 'ES384', 'ES512', 'EdDSA', 'Ed25519', 'PS256', 'PS384', 'PS512'],
} as const satisfies DpopOptions

/** The request that a proof must match. */
export interface ProofUse {
  readonly method: string
  /** Every URL under which the request may have been sent. */
  readonly urls: readonly string[]
  readonly token: string
  /** The thumbprint of the key that the token is bound to. */
  readonly key: string
}

export interface ProofsOptions extends DpopOptions {
  /** Proofs that are remembered; beyond that, requests are refused. */
  readonly maxProofs: number
  readonly leewayMs: number
  readonly now: () => number
}

/** Checks DPoP proofs; each is accepted once. */
export class Proofs {
  readonly algorithms: readonly string[]
  readonly #ageMs: number
  readonly #leewayMs: number
  readonly #now: () => number
  readonly #seen: ReplayCache
  readonly #used: ProofIds | undefined
  readonly #rememberMs: number
  readonly #nonces: Nonces | undefined

  constructor(options: ProofsOptions) {
    const { ageMs, algorithms, nonce, nonceMs } = { ...dpopDefaults, ...options }
    const { leewayMs, now, keys } = options
    this.algorithms = algorithms
    this.#ageMs = ageMs
    this.#leewayMs = leewayMs
    this.#now = now
    // a proof from a fast clock is valid before its time, and until after it
    this.#rememberMs = ageMs + 2 * leewayMs
    this.#seen = new ReplayCache(this.#rememberMs, options.maxProofs)
    this.#used = options.used
    if (nonce) this.#nonces = new Nonces({ lastsMs: nonceMs, keys, now })
  }

  /** Throws when the proof is not valid; resolves with the nonce for the next one, if it needs a new one. */
  async check(proof: string | undefined, use: ProofUse): Promise<string | undefined> {
    const { payload, key } = await this.#read(proof)
    if (key !== use.key) throw refused('The proof was not made with the key that the token is bound to')
    if (payload.htm !== use.method) throw refused('The proof is for another method')
    if (!use.urls.includes(addressOf(payload.htu))) throw refused('The proof is for another address')
    if (payload.ath !== (await hashOf(use.token))) throw refused('The proof is for another token')
    if (this.#nonces && !(await this.#nonces.takes(payload.nonce))) {
      throw new TokenProblem('use_dpop_nonce', 'The proof lacks the nonce of this server')
    }
    const checking = this.#checkFirst(payload, key)
    if (checking) await checking
    const latest = await this.nonce()
    return latest === payload.nonce ? undefined : latest
  }

  /** The nonce to send now, if proofs need one. */
  async nonce(): Promise<string | undefined> {
    return this.#nonces?.latest()
  }

  async #read(proof: string | undefined): Promise<{ payload: JWTPayload; key: string }> {
    if (proof === undefined) throw refused('The request has no proof')
    try {
      const { payload, protectedHeader } = await jwtVerify(proof, EmbeddedJWK, {
        typ: 'dpop+jwt',
        algorithms: [...this.algorithms] as never,
        currentDate: new Date(this.#now()),
        maxTokenAge: this.#ageMs / 1_000,
        clockTolerance: this.#leewayMs / 1_000,
      })
      return { payload, key: await calculateJwkThumbprint(protectedHeader.jwk ?? {}) }
    } catch (error) {
      // an invalid key fails in the runtime, with a message of its own
      throw refused(sentenceFor(error))
    }
  }

  #checkFirst({ jti }: JWTPayload, key: string): Promise<void> | undefined {
    if (typeof jti !== 'string' || jti === '' || jti.length > longestName) throw refused('The proof has no valid "jti"')
    const name = `${key} ${jti}`
    const first = this.#used ? this.#used.use(name, this.#rememberMs) : this.#seen.first(name, this.#now())
    return first instanceof Promise ? first.then(assertFirst) : assertFirst(first)
  }
}

const longestName = 256

function assertFirst(first: boolean | 'full'): undefined {
  if (first === 'full') throw new AuthError('limit', 'Cannot check a proof: too many recent proofs are remembered')
  if (!first) throw refused('The proof was used before')
}

function refused(problem: string): TokenProblem {
  return new TokenProblem('invalid_dpop_proof', problem)
}

function sentenceFor(error: unknown): string {
  const isTime = error instanceof errors.JWTExpired || error instanceof errors.JWTClaimValidationFailed
  return isTime && error.claim === 'iat'
    ? 'The proof is too old, or its time lies in the future'
    : 'The proof is not valid'
}

/** A URL without query and fragment. */
function addressOf(htu: unknown): string {
  if (typeof htu !== 'string' || !URL.canParse(htu)) return ''
  const { origin, pathname } = new URL(htu)
  return `${origin}${pathname}`
}

async function hashOf(token: string): Promise<string> {
  return toBase64url(new Uint8Array(await crypto.subtle.digest('SHA-256', encoded(token))))
}

function encoded(text: string): Uint8Array<ArrayBuffer> {
  return new TextEncoder().encode(text)
}
