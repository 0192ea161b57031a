import { kindOfAddress, kindOfHost } from './address-ranges.ts'
import { AuthError } from './auth-error.ts'

/** Decides which URLs may be requested. */
export interface UrlPolicy {
  /** The server that the user connects to. */
  readonly server: URL
  /** Origins that the user trusts. */
  readonly trusted: ReadonlySet<string>
}

/** Checks a URL before DNS lookup; throws an {@link AuthError}. */
export function checkUrl(address: string | URL, policy: UrlPolicy, action: string): URL {
  const url = URL.canParse(address) ? new URL(address) : undefined
  if (!url) throw refused(action, 'its address is not a URL')
  const problem = problemOf(url, policy)
  if (problem) throw refused(action, `${url.origin === 'null' ? url.protocol : url.origin} ${problem}`)
  return url
}

/** Checks the URL of a document about the server: only the server's origin and trusted ones are allowed. */
export function checkOwnUrl(address: string | URL, policy: UrlPolicy, action: string): URL {
  const url = checkUrl(address, policy, action)
  if (isNamed(url, policy)) return url
  throw refused(action, `${url.origin} is not the origin of the server; to trust it, list it in "trusted"`)
}

/** True if a URL may be requested at an IP address of its host. */
export function allowsAddress(address: string, url: URL, policy: UrlPolicy): boolean {
  const kind = kindOfAddress(address)
  // http: is allowed to loopback addresses only, whatever DNS says
  if (url.protocol === 'http:' && !policy.trusted.has(url.origin) && kind !== 'loopback') return false
  return allowsKind(kind, url, policy)
}

function problemOf(url: URL, policy: UrlPolicy): string | undefined {
  const kind = kindOfHost(url.hostname)
  if (url.protocol !== 'https:' && url.protocol !== 'http:') return 'is not an HTTP address'
  if (url.username !== '' || url.password !== '') return 'contains a user name or password'
  if (url.protocol === 'http:' && kind !== 'loopback' && !policy.trusted.has(url.origin))
    return `is not encrypted${vouch}`
  if (kind && !allowsKind(kind, url, policy)) return `is not a public address${kind === 'forbidden' ? '' : vouch}`
  return undefined
}

const vouch = '; to allow it, list its origin in "trusted"'

function allowsKind(kind: ReturnType<typeof kindOfAddress>, url: URL, policy: UrlPolicy): boolean {
  if (kind === 'public' || kind === 'forbidden') return kind === 'public'
  return isNamed(url, policy) || (kind === 'loopback' && kindOfHost(policy.server.hostname) === 'loopback')
}

function isNamed({ origin }: URL, { server, trusted }: UrlPolicy): boolean {
  return origin === server.origin || trusted.has(origin)
}

function refused(action: string, problem: string): AuthError {
  return new AuthError('address', `Cannot ${action}: ${problem}`)
}
