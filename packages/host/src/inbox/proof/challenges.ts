import { createHash, randomBytes } from 'node:crypto'
import { BoundedMap } from '@trunkline/base/bounded-map'
import { canonicalJson, type Fields } from '@trunkline/mcp'

/** Limits of challenges for passkeys. */
export interface ChallengeLimits {
  /** Challenges that wait at the same time; beyond it the oldest ends. @default 100 */
  readonly maxChallenges?: number
  /** Time in which a challenge can be signed, in milliseconds. @default 2 minutes */
  readonly challengeMs?: number
}

const defaults = { maxChallenges: 100, challengeMs: 120_000 } as const satisfies ChallengeLimits

/**
 * Challenges that passkeys sign. Each is a digest of the decision and of a random number, so that a signature is for this
 * decision alone, and each is good once.
 */
export class Challenges {
  readonly #limits: Required<ChallengeLimits>
  readonly #made: BoundedMap<string, { readonly nonce: Buffer; readonly until: number }>

  constructor(limits: ChallengeLimits = {}) {
    this.#limits = { ...defaults, ...limits }
    this.#made = new BoundedMap(this.#limits.maxChallenges)
  }

  /** Makes the challenge for a decision, in base64url. */
  make(decision: Fields): string {
    const nonce = randomBytes(32)
    const challenge = challengeOf(nonce, decision)
    this.#made.set(challenge, { nonce, until: Date.now() + this.#limits.challengeMs })
    return challenge
  }

  /** True if a challenge was made for exactly this decision and never spent; spends it. */
  spend(challenge: string, decision: Fields): boolean {
    const made = this.#made.take(challenge)
    return made !== undefined && made.until > Date.now() && challengeOf(made.nonce, decision) === challenge
  }
}

function challengeOf(nonce: Buffer, decision: Fields): string {
  const digest = createHash('sha256').update(canonicalJson(decision)).digest()
  return createHash('sha256').update(nonce).update(digest).digest('base64url')
}
