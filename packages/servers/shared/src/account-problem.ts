import { ToolProblem } from './tool-problem.ts'

/** The longest wait for a product that limits calls; a longer one is told at once. */
export const maxRateWaitMs = 30_000

/** A product and where its access comes from, in words for problems. */
export interface Account {
  /** Name of the product. */
  readonly product: string
  /** Advice that signs the person in. */
  readonly signIn: string
}

/** Says that there is no access, or that it ended. */
export function notSignedIn({ product, signIn }: Account, why: string): ToolProblem {
  return new ToolProblem('not_signed_in', `Cannot reach ${product}: ${why}`, { next: `${signIn}; nothing was changed` })
}

/** Says which scope the access lacks. */
export function missingScope({ product }: Account, scope: string): ToolProblem {
  return new ToolProblem('missing_scope', `${product} refuses this: the access lacks "${scope}"`, {
    scope,
    next: `Give the token "${scope}", or use one that has it; nothing was changed`,
  })
}

/** Says when the product takes calls again. */
export function rateLimited({ product }: Account, retryAfterMs: number): ToolProblem {
  return new ToolProblem('rate_limited', `${product} takes no more calls for now`, {
    retryAfterMs,
    next: `Call again in ${Math.ceil(retryAfterMs / 1_000)} s; nothing was changed`,
  })
}

/** Says that the product cannot be reached, or fails itself; a change that was sent may have been made all the same. */
export function unavailable({ product }: Account, why: string, { wasSent = false } = {}): ToolProblem {
  const next = wasSent
    ? 'The change may have been made all the same: look before you call again'
    : 'Look at the network and at the status page of the product, then call again; nothing was changed'
  // a call that may have been made is not to be repeated by itself
  return new ToolProblem('unavailable', `Cannot reach ${product}: ${why}`, {
    ...(!wasSent && { retryAfterMs: maxRateWaitMs }),
    next,
  })
}
