import type { WireError } from './messages.ts'

/** The outcome of a failed call: not sent, sent without an answer, or refused. */
export type Outcome = 'NotSent' | 'Unknown' | 'Rejected'

/** The base class of all errors of this library, apart from the reason of an abort. */
export abstract class TrunklineError extends Error {
  abstract readonly code: number | string
  /** Set when a call failed: `NotSent` is safe to repeat, `Unknown` may have taken effect, `Rejected` was answered. */
  abstract readonly outcome: Outcome | undefined
}

/** An error of the protocol, which is sent to the other side with code, message and data. */
export class RpcError extends TrunklineError {
  override readonly name = 'RpcError'
  override readonly code: number
  override readonly outcome: Outcome = 'Rejected'
  readonly data: unknown

  constructor(code: number, message: string, data?: unknown) {
    super(message)
    this.code = code
    this.data = data
  }
}

/** Invalid arguments of a tool; some revisions report them as the tool's result. */
export class BadArguments extends RpcError {
  constructor(message: string, data?: unknown) {
    super(InvalidParams, message, data)
  }
}

/** A call beyond a rate; it did not run, and `data.retryAfterMs` says when it may. */
export class RateLimited extends RpcError {
  /** Milliseconds after which the call may be repeated. */
  readonly retryAfterMs: number

  constructor(message: string, { limit, retryAfterMs }: { readonly limit: string; readonly retryAfterMs: number }) {
    super(InternalError, message, { limit, retryAfterMs })
    this.retryAfterMs = retryAfterMs
  }
}

/** The store that a request needs does not answer; `data.retryAfterMs` says when to try again. */
export class StoreAway extends RpcError {
  constructor(message: string) {
    super(InternalError, message, { retryAfterMs: 1_000 })
  }
}

/** A request without the required members of `_meta`. */
export class BadRequestMeta extends RpcError {
  constructor(message: string, data: unknown) {
    super(InvalidParams, message, data)
  }
}

/** Every code of an {@link McpError}; `docs/errors.md` explains each. */
export type McpErrorCode =
  | 'Busy'
  | 'Cancelled'
  | 'Closed'
  | 'Declined'
  | 'Http'
  | 'Input'
  | 'InvalidResponse'
  | 'Misuse'
  | 'NotSent'
  | 'Spawn'
  | 'Store'
  | 'Timeout'
  | 'TooLarge'
  | 'TooMany'
  | 'Unauthorized'
  | 'Unsupported'

/** Options of an {@link McpError}. */
export interface McpErrorOptions {
  /** The HTTP status, if there is one. */
  readonly status?: number | undefined
  /** Milliseconds after which the server wants to be asked again, if it said so. */
  readonly retryAfterMs?: number | undefined
  readonly outcome?: Outcome | undefined
  readonly cause?: unknown
}

/** An error on this side, which is never sent; branch on `code`. */
export class McpError extends TrunklineError {
  override readonly name = 'McpError'
  override readonly code: McpErrorCode
  override readonly outcome: Outcome | undefined
  /** The HTTP status, if there is one. */
  readonly status: number | undefined
  /** Milliseconds after which the server wants to be asked again, if it said so. */
  declare readonly retryAfterMs?: number

  constructor(code: McpErrorCode, message: string, { outcome, cause, status, retryAfterMs }: McpErrorOptions = {}) {
    super(message, cause === undefined ? undefined : { cause })
    this.code = code
    this.outcome = outcome
    this.status = status
    if (retryAfterMs !== undefined) this.retryAfterMs = retryAfterMs
  }
}

/** The message was not JSON, or beyond the limits of reading. */
export const ParseError = -32700
/** The message is not a request that can be served now. */
export const InvalidRequest = -32600
/** The peer does not have this method. */
export const MethodNotFound = -32601
/** The params of the request are wrong. */
export const InvalidParams = -32602
/** Something failed in the peer. */
export const InternalError = -32603
/** Revisions before 2026-07-28: no such resource. */
export const ResourceNotFound = -32002
/** 2025-11-25 only: the caller must visit a URL first. */
export const UrlElicitationRequired = -32042
/** 2026-07-28: a header and the body disagree. */
export const HeaderMismatch = -32020
/** 2026-07-28: the request needs something the client did not declare. */
export const MissingClientCapability = -32021
/** 2026-07-28: the request names a revision that is not served. */
export const UnsupportedVersion = -32022

/** The wire form of an error; only an {@link RpcError} reveals its message. */
export function toWire(error: unknown): WireError {
  if (!(error instanceof RpcError)) return { code: InternalError, message: 'Internal error' }
  const { code, message, data } = error
  return data === undefined ? { code, message } : { code, message, data }
}
