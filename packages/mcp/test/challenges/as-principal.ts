import { contract } from '@trunkline/mcp/contract'
import { open } from '../../src/client/open.ts'
import type { Server } from '../../src/server/server.ts'
import { dialing } from '../tasks/caller.ts'

/** Connects a client that keeps the contract, as a caller of that name. */
export function asPrincipal(server: Server, principal: string) {
  return open(dialing(server, { principal }), { extensions: [contract()] as const })
}
