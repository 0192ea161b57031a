import type { IncomingMessage, ServerResponse } from 'node:http'
import { ownAddresses } from '../gateway/own-addresses.ts'

/** Path of the page that holds an app. */
export const appFramePath = '/app-frame'

const maxDomainChars = 20_000

const always = {
  'cache-control': 'no-store',
  'cross-origin-resource-policy': 'same-origin',
  'permissions-policy': 'camera=(), microphone=(), geolocation=(), clipboard-write=(), display-capture=(), usb=()',
  'referrer-policy': 'no-referrer',
  'x-content-type-options': 'nosniff',
  'x-dns-prefetch-control': 'off',
} as const

/**
 * Serves the page between the console and an app. It has no origin, whatever page opens it, and holds no secret; the app
 * in it inherits its policy, which is made of the origins that a person accepted.
 */
export function serveAppFrame(request: IncomingMessage, response: ServerResponse): true {
  const { host = '' } = request.headers
  const domains = domainsOf(request)
  if (!ownAddresses(request).includes(host)) send(response, 403, 'This is not my name\n')
  else if (domains === undefined) send(response, 400, '"domains" must be a JSON object with lists of origins\n')
  else {
    // loaded when the first app is shown
    void import('@trunkline/mcp/apps').then(({ contentSecurityPolicy, sandboxPage }) => {
      const policy = ['sandbox allow-scripts', "frame-ancestors 'self'", contentSecurityPolicy(domains)]
      send(response, 200, sandboxPage({ hostOrigins: [`http://${host}`] }), {
        'content-type': 'text/html; charset=utf-8',
        'content-security-policy': policy.join('; '),
      })
    })
  }
  return true
}

function domainsOf({ url = '' }: IncomingMessage): { readonly [kind: string]: readonly string[] } | undefined {
  const written = new URL(url, 'http://localhost').searchParams.get('domains') ?? '{}'
  try {
    const value: unknown = written.length > maxDomainChars ? undefined : JSON.parse(written)
    if (typeof value !== 'object' || value === null || !Object.values(value).every(Array.isArray)) return undefined
    return value as { readonly [kind: string]: readonly string[] }
  } catch {
    return undefined
  }
}

function send(response: ServerResponse, status: number, body: string, headers: { [name: string]: string } = {}): void {
  const refusing = { 'content-security-policy': "default-src 'none'", 'content-type': 'text/plain; charset=utf-8' }
  response.writeHead(status, { ...always, ...refusing, ...headers }).end(body)
}
