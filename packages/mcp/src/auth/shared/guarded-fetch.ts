import { AuthError } from './auth-error.ts'
import type { Network } from './network.ts'
import type { Outbound } from './platform.ts'
import { readResponseBody } from './response-body.ts'
import { allowsAddress, checkUrl } from './url-policy.ts'

export interface GuardedRequest {
  readonly url: string | URL
  /** @default 'GET' */
  readonly method?: string
  readonly headers?: Readonly<Record<string, string>>
  readonly body?: string | undefined
  readonly signal?: AbortSignal | undefined
  /** The attempted action, for error messages. */
  readonly action: string
  /** The check of every URL, redirects included. @default checkUrl */
  readonly check?: typeof checkUrl
}

/** Sends a request that the URL policy allows, within limits, and resolves with the whole response. */
export async function guardedFetch(wanted: GuardedRequest, network: Network): Promise<Response> {
  const { action, check = checkUrl, signal } = wanted
  const { policy, limits } = network
  const expiry = AbortSignal.timeout(limits.maxResponseMs)
  const outbound = {
    method: wanted.method ?? 'GET',
    headers: allowed(wanted.headers ?? {}),
    body: wanted.body,
    signal: signal ? AbortSignal.any([signal, expiry]) : expiry,
  }
  let url = check(wanted.url, policy, action)
  try {
    for (let redirects = 0; ; redirects++) {
      const allows = (address: string): boolean => allowsAddress(address, url, policy)
      const response = await network.fetch({ ...outbound, url, allows })
      const next = redirectOf(response, url)
      if (!next) return await readResponseBody(response, limits.maxResponseBytes, action)
      await response.body?.cancel()
      if (outbound.method !== 'GET') throw elsewhere(action, next)
      if (redirects === limits.maxRedirects) throw new AuthError('limit', `Cannot ${action}: redirected too often`)
      url = check(next, policy, action)
    }
  } catch (error) {
    signal?.throwIfAborted()
    throw failure(error, { action, url, expiry })
  }
}

// other headers, such as credentials, are not sent to another origin
const sendable: ReadonlySet<string> = new Set(['accept', 'authorization', 'content-type', 'dpop', 'user-agent'])

function allowed(headers: Readonly<Record<string, string>>): Outbound['headers'] {
  return Object.fromEntries(Object.entries(headers).filter(([name]) => sendable.has(name.toLowerCase())))
}

function redirectOf({ status, type, headers }: Response, url: URL): string | undefined {
  if (type === 'opaqueredirect') return 'about:blank'
  const location = status >= 300 && status < 400 ? headers.get('location') : null
  if (location === null) return undefined
  return URL.canParse(location, url) ? new URL(location, url).href : 'about:blank'
}

function elsewhere(action: string, next: string): AuthError {
  return new AuthError('address', `Cannot ${action}: the server redirects to "${new URL(next).origin}"`)
}

function failure(error: unknown, at: { action: string; url: URL; expiry: AbortSignal }): AuthError {
  if (error instanceof AuthError) return error
  // what a proxy says is about the proxy
  if ((error as { code?: unknown }).code === 'ERR_PROXY')
    return new AuthError('unreachable', `Cannot ${at.action}: ${(error as Error).message}`, { cause: error })
  const problem = at.expiry.aborted ? 'does not answer in time' : 'cannot be reached'
  return new AuthError('unreachable', `Cannot ${at.action}: ${at.url.origin} ${problem}`, { cause: error })
}
