import type { Fields } from '@trunkline/mcp'
import type { Act } from '../act/act.ts'
import type { Entry } from '../catalogue/entry.ts'
import type { OpenCall } from '../relay/open-call.ts'
import type { GivenTerms } from '../relay/terms/given-terms.ts'

/** An act on its way through the stack, with the call it is done for. */
export interface Doing {
  readonly act: Act
  /** The params as they will be sent, with the arguments of the act. */
  readonly params: Fields
  readonly method: string
  readonly call: OpenCall
  /** The offer that was found for it: by the gateway, else by the layer `pinned`, and looked up anew after a question. */
  readonly entry?: Entry
  /** Time to wait for a person, in milliseconds. @default that of the host */
  readonly holdMs?: number
  /** Terms that the caller sent beside the arguments; missing if it sent none. */
  readonly given?: GivenTerms
}

/** Handles an act and returns its result; each layer of the stack wraps the next one. */
export type ActHandler = (doing: Doing) => Promise<Fields>
