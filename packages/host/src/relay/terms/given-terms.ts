import type { Fields } from '@trunkline/mcp'
import type { CallTerms } from '@trunkline/mcp/contract'
import { contractKey } from '../../servers/contract-key.ts'

/** Terms that a caller sent beside the arguments of its call. */
export interface GivenTerms {
  readonly terms: CallTerms
  /** Deadline of the call, as in `performance.now()`. */
  readonly endsAt: number | undefined
  /** The signals that its tool takes while it runs; missing where it takes none. */
  readonly signals?: readonly string[]
  /** True once the call has left for its server, so that it may have taken effect. */
  isSent: boolean
  /** Called when it has. */
  onSent?: () => void
}

/** Module that only calls with terms need; loaded with the first of them. */
export const contractParts = () => import('@trunkline/mcp/contract')

/** True if a caller sent terms beside the arguments. */
export function hasTerms(meta: Fields | undefined): meta is Fields {
  return meta?.[contractKey] !== undefined
}

/** Reads and checks the terms of a caller. */
export async function readTerms(meta: Fields, signals: readonly string[] = []): Promise<GivenTerms> {
  const { callTermsOf } = await contractParts()
  const terms = callTermsOf({ _meta: meta }) ?? {}
  const endsAt = terms.deadlineMs === undefined ? undefined : performance.now() + terms.deadlineMs
  return { terms, endsAt, isSent: false, ...(signals.length > 0 && { signals }) }
}
