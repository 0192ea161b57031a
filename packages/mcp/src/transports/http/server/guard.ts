import { remembered } from '../media-type.ts'
import { HttpRefusal } from './refusals.ts'
import type { HttpRequest } from './request-reply.ts'

/** The allowed host names and origins. */
export interface GuardOptions {
  /** The allowed host names, without port; an empty list allows none. @default loopback names */
  readonly hosts?: readonly string[] | 'any'
  /** The allowed origins of web pages; an empty list allows none. @default pages served from loopback */
  readonly origins?: readonly string[] | 'any'
}

const loopback = ['localhost', '127.0.0.1', '[::1]']

export type Guard = (request: HttpRequest) => void

/** Refuses requests with a wrong `Host` (DNS rebinding) or `Origin` (cross-site requests). */
export function guard({ hosts = loopback, origins }: GuardOptions): Guard {
  const knownHosts = hosts === 'any' ? undefined : new Set(hosts.map((host) => host.toLowerCase()))
  const knownOrigins = Array.isArray(origins) ? new Set(origins.map((origin) => origin.toLowerCase())) : undefined
  const isKnownHost = remembered((host) => {
    if (!knownHosts) return true
    return host !== undefined && knownHosts.has(hostNameOf(host) ?? '')
  })
  const isKnownOrigin = (origin: string): boolean => {
    // "null" is the origin of sandboxed pages, whose author is unknown
    if (origin === 'null') return false
    if (origins === 'any') return true
    if (knownOrigins) return knownOrigins.has(origin.toLowerCase())
    return isLoopbackOrigin(origin)
  }
  return (request) => {
    if (!isKnownHost(request.header('host'))) throw new HttpRefusal(403, 'Forbidden: this host name is not served here')
    const origin = request.header('origin')
    if (origin !== undefined && !isKnownOrigin(origin))
      throw new HttpRefusal(403, 'Forbidden: this origin is not allowed')
  }
}

/** The host name of a `Host` header; undefined when it is not valid. */
function hostNameOf(host: string): string | undefined {
  return /^(\[[\da-f:.]+\]|[\w.-]+)(?::\d*)?$/i.exec(host)?.[1]?.toLowerCase()
}

/** True if a host is a loopback address. */
export function isLoopback(host: string): boolean {
  return host === 'localhost' || host === '::1' || /^127(?:\.\d+){3}$/.test(host)
}

function isLoopbackOrigin(origin: string): boolean {
  try {
    const { protocol, hostname } = new URL(origin)
    return (protocol === 'http:' || protocol === 'https:') && loopback.includes(hostname)
  } catch {
    return false
  }
}
