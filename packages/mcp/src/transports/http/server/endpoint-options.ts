import type { Authenticator } from '../../../auth/resource/authenticator.ts'
import type { SseOptions } from '../../sse/sse-endpoint.ts'
import type { SessionOptions } from '../session/session-table.ts'
import type { CorsOptions } from './cors.ts'
import type { GuardOptions } from './guard.ts'
import type { HttpLimits } from './http-limits.ts'

/** Options of an HTTP endpoint. */
export interface EndpointOptions extends GuardOptions {
  /** Limits of what callers may use. */
  readonly limits?: Partial<HttpLimits>
  /** Options of sessions; `false` serves without sessions. */
  readonly sessions?: SessionOptions | false
  /** Serves HTTP+SSE as well, at two paths of its own. @default not */
  readonly sse?: SseOptions | true
  /** Allows web pages of other origins. @default none */
  readonly cors?: CorsOptions
  /** Authenticates all requests. @default all are let in */
  readonly auth?: Authenticator
  /** Milliseconds that requests in flight may take when the endpoint closes. @default 10_000 */
  readonly drainMs?: number
}

/** The defaults. */
export const endpointDefaults = {
  drainMs: 10_000,
} as const satisfies EndpointOptions
