import { wait } from '../../../rpc/abortable-wait.ts'
import type { Authorizer } from '../../../rpc/authorizer.ts'
import { McpError } from '../../../wire/errors.ts'
import { resolveLimits } from '../../../wire/resolve-limits.ts'
import { checkedDelay } from '../../timers.ts'
import { Authorization } from './authorization.ts'
import type { HttpResponse } from './http-response.ts'
import { type HttpClientLimits, httpClientLimits } from './limits.ts'

/** What carries HTTP requests, such as the `fetch` of the runtime, or one that does more. */
export type Fetch = (url: string, init: HttpRequestInit) => Promise<HttpResponse>

/** What is asked of a `fetch`. */
export interface HttpRequestInit {
  readonly method: 'POST' | 'GET' | 'DELETE'
  readonly headers: Record<string, string>
  readonly body?: string
  readonly signal: AbortSignal
  /** Who is sent elsewhere decides for itself whether to go there. */
  readonly redirect: 'manual'
}

/** Headers by name. */
export type HeaderRecord = { readonly [name: string]: string }

/** How persistently a stream that broke off is taken up again. */
export interface ReconnectLimits {
  /** Milliseconds within which the first try to reconnect comes; each further one may take twice as long. @default 500 */
  readonly minDelayMs: number
  /** Milliseconds that a wait grows to, or that a server can ask for, at most. @default 30_000 */
  readonly maxDelayMs: number
  /** Tries in a row in which nothing arrives. @default 5 */
  readonly maxTries: number
}

/** Time and chance, replaceable where both must be foreseen. */
export interface Clock {
  /** Milliseconds since 1970. */
  now(): number
  /** A number from 0 to 1. */
  random(): number
  wait(ms: number, signal: AbortSignal): Promise<void>
}

/** How a server is reached over HTTP. */
export interface HttpChannelOptions {
  /** Sent with every request, such as credentials; a function is asked before each one. */
  readonly headers?: HeaderRecord | (() => HeaderRecord | Promise<HeaderRecord>)
  /** Shows the server who sends a request, and finds a way when the server wants to see more. */
  readonly authorizer?: Authorizer | undefined
  /**
   * Carries the requests.
   * @default on Node `node:http`, or the proxy that `HTTP_PROXY`, `HTTPS_PROXY` and `NO_PROXY` name; elsewhere `fetch`
   */
  readonly fetch?: Fetch
  /** How much of the server is taken, and how much is sent. */
  readonly limits?: Partial<HttpClientLimits>
  /** Whether a session that the server has forgotten is opened again, or ends the connection. @default 'renew' */
  readonly onSessionLost?: 'renew' | 'close'
  /** Milliseconds in which a session must be open again. @default 30_000 */
  readonly renewMs?: number
  /** Milliseconds in which the server must have heard of the end. @default 2_000 */
  readonly closeMs?: number
  readonly reconnect?: Partial<ReconnectLimits>
  readonly clock?: Partial<Clock>
}

/** The options of a channel with nothing left open. */
export interface Settings extends Required<Omit<HttpChannelOptions, 'authorizer' | 'limits' | 'reconnect' | 'clock'>> {
  readonly limits: HttpClientLimits
  readonly authorization: Authorization | undefined
  readonly reconnect: ReconnectLimits
  readonly clock: Clock
}

const defaults = {
  headers: {},
  authorization: undefined,
  // looked up when it is called, so that one that is put in place later counts
  fetch: (url, init) => fetch(url, init),
  limits: httpClientLimits,
  onSessionLost: 'renew',
  renewMs: 30_000,
  closeMs: 2_000,
  reconnect: { minDelayMs: 500, maxDelayMs: 30_000, maxTries: 5 },
  clock: { now: () => Date.now(), random: () => Math.random(), wait },
} as const satisfies Settings

/** Fills in what was not said, and checks what was. */
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
  }
}

/** The address of a server, checked as far as that can be done without going there. */
export function addressOf(url: string | URL, protocols: readonly string[]): URL {
  const address = new URL(url)
  if (!protocols.includes(address.protocol)) {
    throw new McpError('Misuse', `Cannot connect to "${address.protocol}": must be ${protocols.join(' or ')}`)
  }
  // runtimes refuse it later, and repeat the password in what they say
  if (address.username !== '' || address.password !== '') {
    throw new McpError('Misuse', 'Cannot connect: the URL holds a user name or password, which belong into the headers')
  }
  return address
}
