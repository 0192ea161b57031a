import type { ClientCapabilities } from '../../model/input.ts'
import type { Implementation, LogLevel } from '../../model/types.ts'
import type { Incoming } from '../../rpc/incoming.ts'
import type { Fields } from '../../wire/messages.ts'
import type { Caller } from '../dialect.ts'

const prefix = 'io.modelcontextprotocol/'

/** The reserved `_meta` names of requests and results. */
export const meta = {
  version: `${prefix}protocolVersion`,
  clientInfo: `${prefix}clientInfo`,
  clientCapabilities: `${prefix}clientCapabilities`,
  logLevel: `${prefix}logLevel`,
  subscription: `${prefix}subscriptionId`,
  serverInfo: `${prefix}serverInfo`,
} as const

/** The revision that a request names in `_meta`, if it names one. */
export function claimedRevision(params: Fields): unknown {
  return (params._meta as Fields | undefined)?.[meta.version]
}

/** The caller that `_meta` describes; the vocabulary has checked it. */
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
