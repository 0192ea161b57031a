import type { ServerName } from '../act/server-name.ts'
/** Obstacle that kept a server from serving. */
export type UpstreamProblem = 'stopped' | 'needs you' | 'cannot start' | 'not yet' | 'too busy' | 'crashed' | 'sign in'

/** A server that cannot be used now; the message says why and who has to act. */
export class UpstreamError extends Error {
  override readonly name = 'UpstreamError'
  readonly problem: UpstreamProblem
  readonly server: ServerName
  /** Milliseconds until it is tried again, where that is known. */
  readonly retryAfterMs: number | undefined

  constructor(
    server: ServerName,
    problem: UpstreamProblem,
    message: string,
    options: { readonly retryAfterMs?: number; readonly cause?: unknown } = {},
  ) {
    super(message, options.cause === undefined ? undefined : { cause: options.cause })
    this.server = server
    this.problem = problem
    this.retryAfterMs = options.retryAfterMs
  }
}
