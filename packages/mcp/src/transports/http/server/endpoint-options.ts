import type { Authenticator } from '../../../auth/resource/authenticator.ts'
import type { SseOptions } from '../../sse/sse-endpoint.ts'
import type { SessionOptions } from '../session/session-table.ts'
import type { CorsOptions } from './cors.ts'
import type { GuardOptions } from './guard.ts'

/** What may be said about an address that serves every revision. */
export interface EndpointOptions extends GuardOptions {
  /** Bytes of one request. @default 4_194_304 */
  readonly maxBytes?: number
  /** Bytes of all requests that are still arriving; more are told to come back. @default 134_217_728 */
  readonly arrivingBytes?: number
  /** Requests served at the same time; more are told to come back. @default 2_000 */
  readonly inFlight?: number
  /** Requests of one caller served at the same time. @default 256 */
  readonly inFlightPerCaller?: number
  /** Clients that listen for changes at the same time; more are told to come back. @default 5_000 */
  readonly listens?: number
  /** Of one caller. @default 16 */
  readonly listensPerCaller?: number
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
  maxBytes: 4_194_304,
  arrivingBytes: 134_217_728,
  inFlight: 2_000,
  inFlightPerCaller: 256,
  listens: 5_000,
  listensPerCaller: 16,
  drainMs: 10_000,
} as const satisfies EndpointOptions
