import type { ExtensionWords } from '../model/extension.ts'
import type { Incoming } from '../rpc/incoming.ts'
import { BadRequestMeta, McpError, RpcError, UnsupportedVersion } from '../wire/errors.ts'
import { dialect20241105 as v20241105 } from './2024-11-05.ts'
import { dialect20250326 as v20250326 } from './2025-03-26.ts'
import { dialect20250618 as v20250618 } from './2025-06-18.ts'
import { dialect20251125 as v20251125 } from './2025-11-25.ts'
import { dialect20260728 as v20260728 } from './2026-07-28.ts'
import type { Conversation, Dialect } from './dialect.ts'
import { checkVersionHeader } from './stateless/headers.ts'
import { claimedRevision, meta } from './stateless/request-meta.ts'

/** All dialects, newest first. */
export const dialects: readonly Dialect[] = [v20260728, v20251125, v20250618, v20250326, v20241105]

/** The revisions that can be spoken, newest first. */
export const knownRevisions: readonly string[] = dialects.map(({ revision }) => revision)

/** The dialects of the given revisions, or all, newest first, with these extensions. */
export function dialectsFor(
  revisions: readonly string[] | undefined,
  extensions: readonly ExtensionWords[] = [],
): readonly Dialect[] {
  const picked = pick(revisions)
  return extensions.length === 0 ? picked : picked.map((dialect) => dialect.extended(extensions))
}

function pick(revisions: readonly string[] | undefined): readonly Dialect[] {
  if (revisions === undefined) return dialects
  const unknown = revisions.find((revision) => !dialects.some((dialect) => dialect.revision === revision))
  if (unknown === undefined && revisions.length > 0)
    return dialects.filter(({ revision }) => revisions.includes(revision))
  const known = dialects.map(({ revision }) => revision).join(', ')
  throw new McpError(
    'Misuse',
    `Cannot use ${unknown === undefined ? 'an empty list of revisions' : `revision "${unknown}"`}: known revisions are ${known}`,
  )
}

/** The handshake dialect that a version header names; without a header it is the first one of Streamable HTTP. */
export function dialectNamed(revision: string, served: readonly Dialect[]): Dialect | undefined {
  const wanted = revision === '' ? '2025-03-26' : revision
  return served.find((dialect) => dialect.revision === wanted && dialect.opening === 'handshake')
}

/** The dialect of a request: the one that it names, that `initialize` asks for, or that was negotiated before. */
export function dialectOf(incoming: Incoming, { dialect, server }: Conversation): Dialect {
  const { method, params } = incoming
  const version = claimedRevision(params)
  if (version !== undefined && server.dialects[0]?.opening === 'none') {
    checkVersionHeader(incoming)
    return named(version, server.dialects)
  }
  if (method === 'initialize') return agreed(params.protocolVersion, server.dialects)
  if (dialect) return dialect
  const first = server.dialects.find(({ opening }) => opening === 'handshake')
  if (method === 'ping' && first) return first
  const problem = `neither was "initialize" called nor is "_meta" there with "${meta.version}"`
  throw new BadRequestMeta(`Cannot serve "${method}": ${problem}`, {
    field: `params._meta["${meta.version}"]`,
  })
}

function named(version: unknown, served: readonly Dialect[]): Dialect {
  const known = served.find((dialect) => dialect.revision === version && dialect.opening === 'none')
  if (known) return known
  if (typeof version === 'string') throw unsupported(version, served)
  throw new BadRequestMeta(`Cannot read "_meta": "${meta.version}" must be a string`, {
    field: `params._meta["${meta.version}"]`,
  })
}

/** The requested revision, or else the newest one that is served; the client decides whether it accepts it. */
function agreed(version: unknown, served: readonly Dialect[]): Dialect {
  const candidates = served.filter(({ opening }) => opening === 'handshake')
  const dialect = candidates.find(({ revision }) => revision === version) ?? candidates[0]
  if (dialect) return dialect
  throw unsupported(version, served)
}

function unsupported(requested: unknown, served: readonly Dialect[]): RpcError {
  const supported = served.map(({ revision }) => revision)
  return new RpcError(UnsupportedVersion, `Unsupported protocol version: this server speaks ${supported.join(', ')}`, {
    supported,
    requested,
  })
}
