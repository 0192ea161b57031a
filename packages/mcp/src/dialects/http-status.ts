import {
  BadRequestMeta,
  HeaderMismatch,
  InvalidRequest,
  MethodNotFound,
  MissingClientCapability,
  ParseError,
  RateLimited,
  RpcError,
  StoreAway,
  UnsupportedVersion,
} from '../wire/errors.ts'
import type { Fields } from '../wire/messages.ts'
import { claimedRevision } from './stateless/request-meta.ts'

export { encodeHeader, headerNames } from './stateless/headers.ts'

/** True if a request names its own revision in `_meta`, so that it needs no session. */
export function namesOwnRevision(params: Fields | undefined): boolean {
  return params !== undefined && claimedRevision(params) !== undefined
}

const statuses: ReadonlyMap<number, number> = new Map([
  [ParseError, 400],
  [InvalidRequest, 400],
  [HeaderMismatch, 400],
  [MissingClientCapability, 400],
  [UnsupportedVersion, 400],
  [MethodNotFound, 404],
])

/** The HTTP status of an error response; errors of handlers are sent with 200. */
export function statusOf(error: unknown): number {
  if (!(error instanceof RpcError)) return 200
  if (error instanceof RateLimited) return 429
  if (error instanceof StoreAway) return 503
  return error instanceof BadRequestMeta ? 400 : (statuses.get(error.code) ?? 200)
}
