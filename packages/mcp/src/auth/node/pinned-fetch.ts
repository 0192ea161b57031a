import { lookup as lookUp } from 'node:dns'
import type { IncomingMessage } from 'node:http'
import { request as requestHttps } from 'node:https'
import { isIP, type LookupFunction } from 'node:net'
import { Readable } from 'node:stream'
import { request as requestHttp } from '../../network/node-http.ts'
import { proxyFailure } from '../../network/proxy-failure.ts'
import { type FindRoute, routes } from '../../network/routes.ts'
import { AuthError } from '../shared/auth-error.ts'
import type { Outbound } from '../shared/platform.ts'

/** Looks up the addresses of a host, as `dns.lookup` does. */
export type Lookup = (
  hostname: string,
  options: { readonly all: true; readonly verbatim: true },
  found: (error: Error | null, addresses: readonly { address: string; family: number }[]) => void,
) => void

/** The way requests leave, and names are looked up. */
export interface PinnedFetchOptions {
  /** @default without a proxy */
  readonly find?: FindRoute
  /** The certificates to trust. @default the usual ones */
  readonly ca?: string[] | undefined
  readonly lookup?: Lookup
}

const direct = routes({ proxy: '' })

/** Sends a request to an address that was looked up and checked once, so that DNS rebinding cannot change it. */
export function pinnedFetch(
  outbound: Outbound,
  { find = direct, ca, lookup = lookUp }: PinnedFetchOptions = {},
): Promise<Response> {
  const { url, method, signal, allows, body } = outbound
  const host = url.hostname.replace(/^\[|\]$/g, '')
  if (isIP(host) && !allows(host)) return Promise.reject(forbidden(host))
  const { isSecure, proxy, options: route, headers: more } = find(url.href)
  const headers = { ...outbound.headers, ...more }
  // a new connection, because a pooled one was checked for another request; a proxy looks names up itself
  const own = proxy ? {} : { agent: false, lookup: pinned(lookup, allows), ...(ca && { ca }) }
  return new Promise((resolve, reject) => {
    const outgoing = (isSecure ? requestHttps : requestHttp)({ ...route, ...own, method, headers, signal })
    outgoing.once('response', (incoming) => {
      if (!proxy || incoming.statusCode !== 407) return resolve(responseOf(incoming))
      outgoing.destroy()
      reject(proxyFailure(proxy, { status: 407, target: url.host }))
    })
    outgoing.once('error', reject)
    outgoing.end(body)
  })
}

function pinned(lookup: Lookup, allows: (address: string) => boolean): LookupFunction {
  return (hostname, { family, all }, found) => {
    lookup(hostname, { all: true, verbatim: true }, (error, every) => {
      if (error) return found(error, '', 0)
      const allowed = every.filter(({ address }) => allows(address))
      const [first] = allowed.filter((candidate) => !family || candidate.family === family)
      // one forbidden address among allowed ones is an attempt to get past the check
      if (!first || allowed.length < every.length) return found(forbidden(hostname), '', 0)
      if (all) found(null, [...allowed])
      else found(null, first.address, first.family)
    })
  }
}

function forbidden(host: string): AuthError {
  return new AuthError('address', `Cannot send a request to "${host}": it is not a public address`)
}

function responseOf(incoming: IncomingMessage): Response {
  const { statusCode: status = 502 } = incoming
  const headers = new Headers()
  for (let at = 0; at < incoming.rawHeaders.length; at += 2) {
    headers.append(incoming.rawHeaders[at] ?? '', incoming.rawHeaders[at + 1] ?? '')
  }
  const hasBody = status >= 200 && status !== 204 && status !== 205 && status !== 304
  if (!hasBody) incoming.resume()
  return new Response(hasBody ? (Readable.toWeb(incoming) as ReadableStream) : null, { status, headers })
}
