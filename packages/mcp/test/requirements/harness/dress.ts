import type { Fields } from '../../../src/wire/messages.ts'
import type { Revision } from '../requirement.ts'

const prefix = 'io.modelcontextprotocol/'

/** The reserved members of `_meta`, as the specification spells them. */
export const meta = {
  version: `${prefix}protocolVersion`,
  clientCapabilities: `${prefix}clientCapabilities`,
  clientInfo: `${prefix}clientInfo`,
  serverInfo: `${prefix}serverInfo`,
  subscription: `${prefix}subscriptionId`,
  logLevel: `${prefix}logLevel`,
} as const

/** True if every request of a revision explains itself, so that no handshake comes first. */
export function isStateless(revision: Revision): boolean {
  return revision === '2026-07-28'
}

/** Facts that every request states about its sender in a stateless revision. */
export function envelope(revision: Revision, capabilities: Fields = {}): Fields {
  return {
    [meta.version]: revision,
    [meta.clientCapabilities]: capabilities,
    [meta.clientInfo]: { name: 'raw', version: '1.0.0' },
  }
}

/** The opening of the conversation by a scripted server in a revision. */
export function greeting(revision: Revision, capabilities: Fields = everything) {
  const serverInfo = { name: 'puppet', version: '1.0.0' }
  if (!isStateless(revision)) {
    return { initialize: [[{ result: { protocolVersion: revision, capabilities, serverInfo } }]] }
  }
  const discovered = { supportedVersions: [revision], capabilities, ttlMs: 0, cacheScope: 'private' }
  return { 'server/discover': [[{ result: { resultType: 'complete', ...discovered } }]] }
}

const everything: Fields = { tools: {}, prompts: {}, resources: { subscribe: true }, completions: {}, logging: {} }
