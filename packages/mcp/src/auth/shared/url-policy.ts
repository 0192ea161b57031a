import { kindOfAddress, kindOfHost } from './address-ranges.ts'
import { AuthError } from './auth-error.ts'

/** What decides whether an address that a server names may be asked. */
export interface UrlPolicy {
  /** The server that the user wants to reach. */
  readonly server: URL
  /** Origins that the user vouches for. */
  readonly trusted: ReadonlySet<string>
}

/** Checks an address as far as that can be done without looking it up; throws an {@link AuthError}. */
export function checkUrl(address: string | URL, policy: UrlPolicy, action: string): URL {
  const url = URL.canParse(address) ? new URL(address) : undefined
  if (!url) throw refused(action, 'its address is no URL')
  const problem = problemOf(url, policy)
  if (problem) throw refused(action, `${url.origin === 'null' ? url.protocol : url.origin} ${problem}`)
  return url
}

/** Checks the address of a document about the server, which must come from the server or from a trusted origin. */
export function checkOwnUrl(address: string | URL, policy: UrlPolicy, action: string): URL {
  const url = checkUrl(address, policy, action)
  if (isNamed(url, policy)) return url
  throw refused(action, `${url.origin} is not the origin of the server; if it may speak for it, name it in "trusted"`)
}

/** Whether a URL may be asked at an address that its host was found to have. */
export function allowsAddress(address: string, url: URL, policy: UrlPolicy): boolean {
  const kind = kindOfAddress(address)
  // without encryption nothing may leave this machine, whatever a name is said to mean
  if (url.protocol === 'http:' && !policy.trusted.has(url.origin) && kind !== 'loopback') return false
  return allowsKind(kind, url, policy)
}

function problemOf(url: URL, policy: UrlPolicy): string | undefined {
  const kind = kindOfHost(url.hostname)
  if (url.protocol !== 'https:' && url.protocol !== 'http:') return 'is not an address of the web'
  if (url.username !== '' || url.password !== '') return 'is given together with a user name or password'
  if (url.protocol === 'http:' && kind !== 'loopback' && !policy.trusted.has(url.origin))
    return `is not encrypted${vouch}`
  if (kind && !allowsKind(kind, url, policy)) return `is not a public address${kind === 'forbidden' ? '' : vouch}`
  return undefined
}

const vouch = '; if it may be asked all the same, name its origin in "trusted"'

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
