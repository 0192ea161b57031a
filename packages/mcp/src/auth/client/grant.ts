import type { Network } from '../shared/network.ts'
import type { Scopes } from '../shared/scopes.ts'
import type { Discovered } from './discover.ts'
import type { AuthLimits } from './options.ts'
import type { ProofKey } from './proof-key.ts'
import type { Records } from './records.ts'
import type { Tokens } from './tokens.ts'

/** All that is known when tokens are needed. */
export interface Need extends Discovered {
  readonly scopes: Scopes
  /** What the tokens shall be bound to. */
  readonly proof: ProofKey | undefined
  readonly network: Network
  readonly records: Records
  readonly limits: AuthLimits
  readonly signal: AbortSignal
  now(): number
}

/** One way to get tokens. */
export interface Grant {
  /** Whether it shows credentials that one issuer gave, and that no other may see. */
  readonly isBound: boolean
  /** Gets tokens from nothing. */
  obtain(need: Need): Promise<Tokens>
  /** Gets tokens for those that are no longer taken; undefined when there is no other way than from nothing. */
  renew?(tokens: Tokens, need: Need): Promise<Tokens | undefined>
}
