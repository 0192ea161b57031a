import type { Demand } from '../shared/parse-challenge.ts'

/** How tokens were got: from nothing, for others, or by somebody else who left them in the store. */
export type TokenOrigin = 'new' | 'renewed' | 'kept'

/** Why tokens are needed. */
export interface Occasion {
  /** The access token that is not taken, or no longer. */
  readonly refused: string | undefined
  /** How that token was got, when it was got for the very request that is refused. */
  readonly justGot: TokenOrigin | undefined
  /** What the server said; undefined when it was not asked, and nobody shall be bothered yet. */
  readonly demand: Demand | undefined
  /** The revision that is spoken with the server, as far as that is known. */
  readonly revision: string | undefined
  /** Whether the token is good but does not allow enough. */
  readonly isStepUp: boolean
}
