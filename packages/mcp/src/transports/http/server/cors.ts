import type { Headers } from '../headers.ts'
import type { HttpReply, HttpRequest } from './request-reply.ts'

/** Options of CORS. */
export interface CorsOptions {
  /** Additional request headers that pages may send. @default none */
  readonly headers?: readonly string[]
  /** Seconds for which a browser may cache a preflight response. @default 600 */
  readonly maxAgeSeconds?: number
}

const requestHeaders = [
  ...['Content-Type', 'Accept', 'Authorization', 'DPoP', 'Last-Event-ID'],
  ...['MCP-Protocol-Version', 'Mcp-Session-Id', 'Mcp-Method', 'Mcp-Name'],
]
const exposed = 'Mcp-Session-Id, MCP-Protocol-Version, Retry-After, WWW-Authenticate, DPoP-Nonce'

/** Adds CORS headers; answers preflight requests, and then returns undefined. */
export function cors(
  options: CorsOptions | undefined,
): (request: HttpRequest, reply: HttpReply) => HttpReply | undefined {
  if (!options) return (_request, reply) => reply
  const allowed = [...requestHeaders, ...(options.headers ?? [])]
  const everywhere = { vary: 'Origin' }
  return (request, reply) => {
    const origin = request.header('origin')
    if (origin === undefined) return withHeaders(reply, everywhere)
    const granted = { ...everywhere, 'access-control-allow-origin': origin }
    if (request.method !== 'OPTIONS')
      return withHeaders(reply, { ...granted, 'access-control-expose-headers': exposed })
    reply.whole(204, {
      ...granted,
      vary: 'Origin, Access-Control-Request-Headers',
      'access-control-allow-methods': 'POST, GET, DELETE',
      'access-control-allow-headers': [...allowed, ...paramHeaders(request)].join(', '),
      'access-control-max-age': String(options.maxAgeSeconds ?? 600),
    })
    return undefined
  }
}

// header parameters depend on the tool; those that no tool declares have no effect
function paramHeaders(request: HttpRequest): readonly string[] {
  const wanted = request.header('access-control-request-headers') ?? ''
  return wanted.split(',').flatMap((name) => /^\s*(mcp-param-[!#$%&'*+.^_`|~\w-]+)\s*$/i.exec(name)?.[1] ?? [])
}

function withHeaders(reply: HttpReply, more: Headers): HttpReply {
  return {
    whole: (status, headers, body) => reply.whole(status, { ...headers, ...more }, body),
    stream: (headers) => reply.stream({ ...headers, ...more }),
    onGone: (listener) => reply.onGone(listener),
    onLeft: (listener) => reply.onLeft(listener),
  }
}
