import type { NoOffers, Server } from '@trunkline/mcp'
import type { contract } from '@trunkline/mcp/contract'
import type { AddsOf } from '@trunkline/mcp/server'
import type { tasks } from '@trunkline/mcp/tasks'

/** A server with the extensions that the tools use. */
export type CodeOffers = Server<NoOffers, AddsOf<readonly [ReturnType<typeof contract>, ReturnType<typeof tasks>]>>

/** Annotations of a tool that only reads. */
export const onlyReads = { readOnlyHint: true, openWorldHint: false } as const
