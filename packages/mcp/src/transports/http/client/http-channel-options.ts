import type { NetworkOptions } from '../../../network/network-options.ts'
import { wait } from '../../../rpc/abortable-wait.ts'
import type { Authorizer } from '../../../rpc/authorizer.ts'
import { McpError } from '../../../wire/errors.ts'
import { resolveLimits } from '../../../wire/resolve-limits.ts'
import { checkedDelay } from '../../timers.ts'
import { Authorization } from './authorization.ts'
import { type HttpClientLimits, httpClientLimits } from './http-client-limits.ts'
import type { HttpResponse } from './http-response.ts'
import { ReadingGate } from './reading-gate.ts'

/** A `fetch` function. */
export type Fetch = (url: string, init: HttpRequestInit) => Promise<HttpResponse>

/** The options of a `fetch`. */
export interface HttpRequestInit {
  readonly method: 'POST' | 'GET' | 'DELETE'
  readonly headers: Record<string, string>
  readonly body?: string
  readonly signal: AbortSignal
  /** Redirects are followed by the client itself. */
  readonly redirect: 'manual'
}

/** Headers by name. */
export type HeaderRecord = { readonly [name: string]: string }

/** Limits of reconnecting. */
export interface ReconnectLimits {
  /** Milliseconds within which the first try happens; the time doubles with each further one. @default 500 */
  readonly minDelayMs: number
  /** The longest wait, also when the server asks for more. @default 30_000 */
  readonly maxDelayMs: number
  /** Tries in a row without anything received. @default 5 */
  readonly maxTries: number
}

/** The clock and random numbers, replaceable for tests. */
export interface Clock {
  /** Milliseconds since 1970. */
  now(): number
  /** A number from 0 to 1. */
  random(): number
  wait(ms: number, signal: AbortSignal): Promise<void>
}

/** Options of a channel over HTTP. */
export interface HttpChannelOptions {
  /** Headers of every request; a function is called before each one. */
  readonly headers?: HeaderRecord | (() => HeaderRecord | Promise<HeaderRecord>)
  /** Adds authorization headers, and handles challenges. */
  readonly authorizer?: Authorizer | undefined
  /**
   * Carries the requests.
   * @default on Node `node:http`, or the proxy that `HTTP_PROXY`, `HTTPS_PROXY` and `NO_PROXY` name; elsewhere `fetch`
   */
  readonly fetch?: Fetch
  /** The proxy and the certificates to trust, on Node; `fetch` has its own. @default those of the environment */
  readonly network?: NetworkOptions
  /** Limits of what is received and sent. */
  readonly limits?: Partial<HttpClientLimits>
  /** Reaction to a session that the server has lost: open it again, or close the connection. @default 'renew' */
  readonly onSessionLost?: 'renew' | 'close'
  /** Milliseconds for opening a session again. @default 30_000 */
  readonly renewMs?: number
  /** Milliseconds for telling the server that the session has ended. @default 2_000 */
  readonly closeMs?: number
  readonly reconnect?: Partial<ReconnectLimits>
  readonly clock?: Partial<Clock>
}

/** The options with their defaults. */
export interface Settings
  extends Required<Omit<HttpChannelOptions, 'authorizer' | 'network' | 'limits' | 'reconnect' | 'clock'>> {
  readonly limits: HttpClientLimits
  readonly authorization: Authorization | undefined
  readonly reconnect: ReconnectLimits
  readonly clock: Clock
  /** Holds back what arrives while the channel is paused. */
  readonly reading: ReadingGate
}

const defaults = {
  headers: {},
  authorization: undefined,
  // looked up on each call, so that a later replacement is used
  fetch: (url, init) => fetch(url, init),
  limits: httpClientLimits,
  onSessionLost: 'renew',
  renewMs: 30_000,
  closeMs: 2_000,
  reconnect: { minDelayMs: 500, maxDelayMs: 30_000, maxTries: 5 },
  clock: { now: () => Date.now(), random: () => Math.random(), wait },
} as const satisfies Omit<Settings, 'reading'>

/** Checks the options and applies the defaults. */
export function channelSettings(options: HttpChannelOptions): Settings {
  const { renewMs, closeMs } = { ...defaults, ...options }
  const { minDelayMs, maxDelayMs, maxTries } = { ...defaults.reconnect, ...options.reconnect }
  return {
    ...defaults,
    ...options,
    authorization: options.authorizer && new Authorization(options.authorizer),
    renewMs: checkedDelay('renewMs', renewMs),
    closeMs: checkedDelay('closeMs', closeMs),
    limits: resolveLimits(httpClientLimits, options.limits),
    reconnect: {
      minDelayMs: checkedDelay('reconnect.minDelayMs', minDelayMs),
      maxDelayMs: checkedDelay('reconnect.maxDelayMs', maxDelayMs),
      maxTries,
    },
    clock: { ...defaults.clock, ...options.clock },
    reading: new ReadingGate(),
  }
}

/** Parses and checks the URL of a server. */
export function addressOf(url: string | URL, protocols: readonly string[]): URL {
  const address = new URL(url)
  if (!protocols.includes(address.protocol)) {
    throw new McpError('Misuse', `Cannot connect to "${address.protocol}": must be ${protocols.join(' or ')}`)
  }
  // runtimes refuse it later, with the password in their message
  if (address.username !== '' || address.password !== '') {
    throw new McpError('Misuse', 'Cannot connect: the URL holds a user name or password, which belong in the headers')
  }
  return address
}
