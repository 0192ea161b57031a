import { remembered } from '../media-type.ts'
import { HttpRefusal } from './refusals.ts'
import type { HttpRequest } from './request-reply.ts'

/** Under which names a server answers, and to which pages. */
export interface GuardOptions {
  /** Names by which this server may be addressed, without port; an empty list lets nobody in. @default loopback names */
  readonly hosts?: readonly string[] | 'any'
  /** Web pages that may call this server, as origins; an empty list lets none in. @default pages served from loopback */
  readonly origins?: readonly string[] | 'any'
}

const loopback = ['localhost', '127.0.0.1', '[::1]']

export type Guard = (request: HttpRequest) => void

/** Turns away requests that a web page tricked a browser into sending: wrong `Host`, wrong `Origin`. */
export function guard({ hosts = loopback, origins }: GuardOptions): Guard {
  const knownHosts = hosts === 'any' ? undefined : new Set(hosts.map((host) => host.toLowerCase()))
  const knownOrigins = Array.isArray(origins) ? new Set(origins.map((origin) => origin.toLowerCase())) : undefined
  const isKnownHost = remembered((host) => {
    if (!knownHosts) return true
    return host !== undefined && knownHosts.has(hostNameOf(host) ?? '')
  })
  const isKnownOrigin = (origin: string): boolean => {
    // what pages without an origin of their own send says nothing about who wrote them
    if (origin === 'null') return false
    if (origins === 'any') return true
    if (knownOrigins) return knownOrigins.has(origin.toLowerCase())
    return isLoopbackOrigin(origin)
  }
  return (request) => {
    if (!isKnownHost(request.header('host'))) throw new HttpRefusal(403, 'Forbidden: this host name is not served here')
    const origin = request.header('origin')
    if (origin !== undefined && !isKnownOrigin(origin))
      throw new HttpRefusal(403, 'Forbidden: this origin may not call')
  }
}

/** The name in a `Host` header, without the port; nothing when it is no name and port. */
function hostNameOf(host: string): string | undefined {
  return /^(\[[\da-f:.]+\]|[\w.-]+)(?::\d*)?$/i.exec(host)?.[1]?.toLowerCase()
}

/** Whether only this machine can reach a server that listens there. */
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
