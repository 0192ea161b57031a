import { type InputLimits, inputLimits } from '../dialects/input-limits.ts'
import { type PeerLimits, peerLimits } from '../rpc/peer-limits.ts'

/** What one connection and one call may take. */
export interface ServerLimits extends InputLimits, Required<PeerLimits> {}

/** The limits of a server where none are given. */
export const serverLimits = { ...inputLimits, ...peerLimits } as const satisfies ServerLimits
