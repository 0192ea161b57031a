import type { Authenticator } from '../../../auth/resource/authenticator.ts'
import type { SseOptions } from '../../sse/sse-endpoint.ts'
import type { SessionOptions } from '../session/session-table.ts'
import type { CorsOptions } from './cors.ts'
import type { GuardOptions } from './guard.ts'
import type { HttpLimits } from './limits.ts'

/** What may be said about an address that serves every revision. */
export interface EndpointOptions extends GuardOptions {
  /** How much is taken from callers. */
  readonly limits?: Partial<HttpLimits>
  /** Sessions of the revisions that have them; `false` serves those revisions without. */
  readonly sessions?: SessionOptions | false
  /** Serves the oldest transport over HTTP as well, at two addresses of its own. @default not */
  readonly sse?: SseOptions | true
  /** Lets web pages of other origins call. @default none */
  readonly cors?: CorsOptions
  /** Lets in only whom it admits, at every address. @default everybody comes in */
  readonly auth?: Authenticator
  /** Milliseconds that calls under way may take when the endpoint closes. @default 10_000 */
  readonly drainMs?: number
}

/** What is so unless somebody says otherwise. */
export const endpointDefaults = {
  drainMs: 10_000,
} as const satisfies EndpointOptions
