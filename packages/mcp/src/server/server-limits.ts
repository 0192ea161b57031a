import { type InputLimits, inputLimits } from '../dialects/input-limits.ts'
import { type PeerLimits, peerLimits } from '../rpc/peer-limits.ts'

/** Limits of one connection and one call. */
export interface ServerLimits extends InputLimits, Required<PeerLimits> {}

/** The default limits of a server. */
export const serverLimits = { ...inputLimits, ...peerLimits } as const satisfies ServerLimits
