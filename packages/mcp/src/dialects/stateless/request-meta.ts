import type { ClientCapabilities } from '../../model/input.ts'
import type { Implementation, LogLevel } from '../../model/types.ts'
import type { Incoming } from '../../rpc/incoming.ts'
import type { Fields } from '../../wire/messages.ts'
import type { Caller } from '../dialect.ts'

const prefix = 'io.modelcontextprotocol/'

/** The reserved names under `_meta` by which a request and its answers explain themselves. */
export const meta = {
  version: `${prefix}protocolVersion`,
  clientInfo: `${prefix}clientInfo`,
  clientCapabilities: `${prefix}clientCapabilities`,
  logLevel: `${prefix}logLevel`,
  subscription: `${prefix}subscriptionId`,
  serverInfo: `${prefix}serverInfo`,
} as const

/** The revision a request names for itself, if it names one. */
export function claimedRevision(params: Fields): unknown {
  return (params._meta as Fields | undefined)?.[meta.version]
}

/** Who is calling, as the request itself tells; the vocabulary has checked that it does. */
export function callerFromMeta({ params, sender }: Incoming): Caller {
  const told = params._meta as Fields
  return {
    revision: told[meta.version] as string,
    info: told[meta.clientInfo] as Implementation | undefined,
    capabilities: told[meta.clientCapabilities] as ClientCapabilities,
    logLevel: told[meta.logLevel] as LogLevel | undefined,
    principal: sender?.principal,
    scopes: sender?.scopes,
    claims: sender?.claims,
  }
}
