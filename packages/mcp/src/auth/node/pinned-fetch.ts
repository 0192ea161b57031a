import { lookup as lookUp } from 'node:dns'
import { type IncomingMessage, request as requestHttp } from 'node:http'
import { request as requestHttps } from 'node:https'
import { isIP, type LookupFunction } from 'node:net'
import { Readable } from 'node:stream'
import { AuthError } from '../shared/auth-error.ts'
import type { Outbound } from '../shared/platform.ts'

/** Looks up the addresses of a host, as `dns.lookup` does. */
export type Lookup = (
  hostname: string,
  options: { readonly all: true; readonly verbatim: true },
  found: (error: Error | null, addresses: readonly { address: string; family: number }[]) => void,
) => void

/** Sends a request to an address that was looked up and checked once, so that DNS rebinding cannot change it. */
export function pinnedFetch(outbound: Outbound, lookup: Lookup = lookUp): Promise<Response> {
  const { url, method, headers, body, signal, allows } = outbound
  const host = url.hostname.replace(/^\[|\]$/g, '')
  if (isIP(host) && !allows(host)) return Promise.reject(forbidden(host))
  const send = url.protocol === 'https:' ? requestHttps : requestHttp
  return new Promise((resolve, reject) => {
    // a new connection, because a pooled one was checked for another request
    const options = { method, headers, signal, agent: false, lookup: pinned(lookup, allows) } as const
    const outgoing = send(url, options, (incoming) => resolve(responseOf(incoming)))
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
