import type { Incoming } from '../../rpc/incoming.ts'
import type { Caller, ServerSide } from '../dialect.ts'
import type { Facts } from '../revision-facts.ts'

/** The call that a handler is run for, in every round. */
export interface ReplayContext {
  readonly incoming: Incoming
  readonly caller: Caller
  readonly facts: Facts
  readonly server: ServerSide
}
