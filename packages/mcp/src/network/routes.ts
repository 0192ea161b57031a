import type { RequestOptions } from 'node:http'
import { Agent as HttpsAgent } from 'node:https'
import * as tls from 'node:tls'
import { urlToHttpOptions } from 'node:url'
import type { NetworkOptions } from './network-options.ts'
import { Agent as HttpAgent } from './node-http.ts'
import { proxyCredentials } from './proxy-credentials.ts'
import { proxyFor } from './proxy-for.ts'
import { TunnelAgent } from './tunnel-agent.ts'

/** The way a request to one address is sent. */
export interface ProxyRoute {
  /** True if `node:https` encrypts the connection that it is written to. */
  readonly isSecure: boolean
  readonly options: RequestOptions
  /** Headers for the proxy, beside the request. */
  readonly headers?: { readonly [name: string]: string }
  readonly proxy?: URL
}

/** Finds out how to send a request to an address. */
export type FindRoute = (url: string) => ProxyRoute

// servers close idle connections after 5 s or more; a request on a closing connection would be lost
const keeping = { keepAlive: true, timeout: 4000 } as const
const mostKnown = 256

/** The routes of a client, with connections that are kept; addresses are looked at once. */
export function routes(options: NetworkOptions = {}, env: NodeJS.ProcessEnv = process.env): FindRoute {
  const find = finder(options, env)
  const known = new Map<string, ProxyRoute>()
  return (url) => {
    let route = known.get(url)
    if (!route) {
      route = find(new URL(url))
      if (known.size < mostKnown) known.set(url, route)
    }
    return route
  }
}

/** The certificates to trust; undefined for the usual ones. */
export function authorities({ ca }: NetworkOptions): string[] | undefined {
  if (ca === undefined) return undefined
  // older versions of Node cannot tell what else they trust
  const usual = tls.getCACertificates?.('default') ?? tls.rootCertificates
  return [...usual, ...(typeof ca === 'string' ? [ca] : ca)]
}

function finder(options: NetworkOptions, env: NodeJS.ProcessEnv): (url: URL) => ProxyRoute {
  const ca = authorities(options)
  const http = new HttpAgent(keeping)
  const https = new HttpsAgent({ ...keeping, ...(ca && { ca }) })
  const tunnels = new Map<string, TunnelAgent>()
  const proxyOf = proxyFor(options, env)
  const tunnel = (proxy: URL): TunnelAgent => {
    const agent = tunnels.get(proxy.href) ?? new TunnelAgent(proxy, { ...keeping, ca })
    tunnels.set(proxy.href, agent)
    return agent
  }
  return (url) => {
    const isSecure = url.protocol === 'https:'
    const proxy = proxyOf?.(url)
    if (!proxy) return { isSecure, options: { ...urlToHttpOptions(url), agent: isSecure ? https : http } }
    if (isSecure) return { isSecure, proxy, options: { ...urlToHttpOptions(url), agent: tunnel(proxy) } }
    // what is not encrypted is asked of the proxy itself, as proxies expect it
    const { protocol, hostname, port } = urlToHttpOptions(proxy)
    const isSecureProxy = protocol === 'https:'
    return {
      isSecure: isSecureProxy,
      proxy,
      options: { protocol, hostname, port, path: url.href, agent: isSecureProxy ? https : http },
      headers: { host: url.host, ...proxyCredentials(proxy) },
    }
  }
}
