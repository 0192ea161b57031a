/** A server that wants authorization and an issuer that gives it; both do right except for the defects they are given. */
import type { ServerResponse } from 'node:http'
import type { Defects } from './defects.ts'
import { Issuer } from './issuer.ts'
import { json, listening, type Seen } from './listening.ts'

export interface Hostile extends AsyncDisposable {
  /** Address of the server. */
  readonly url: string
  readonly issuer: string
  /** Every request, in order. */
  readonly seen: Seen[]
  /** Can be changed at any time. */
  readonly defects: Defects
  /** Number of requests for a path. */
  count(path: string): number
  /** Makes the server refuse every token that was given so far. */
  revokeAll(): void
}

export async function hostileServer(defects: Defects = {}): Promise<Hostile> {
  const seen: Seen[] = []
  const issuer = new Issuer(defects)
  const [server, authorizationServer] = await Promise.all([
    listening('server', seen, (arrived, response) => answer(arrived, response)),
    listening('issuer', seen, (arrived, response) => issuer.answer(arrived, response)),
  ])
  issuer.origin = authorizationServer.origin

  function answer({ url, headers }: Seen, response: ServerResponse): void {
    if (url.pathname.startsWith('/.well-known/oauth-protected-resource')) {
      const { resource = `${server.origin}/mcp`, issuers = [authorizationServer.origin] } = defects
      return json(response, 200, { resource, authorization_servers: issuers })
    }
    const given = issuer.scopesOf(headers.authorization?.split(' ')[1])
    const wanted = defects.scope?.split(' ') ?? []
    const isEnough = given && wanted.every((scope) => given.includes(scope))
    if (isEnough && defects.refuses === undefined) return json(response, 200, { isIn: true })
    refuse(response, defects.refuses ?? (given ? 403 : 401))
  }

  function refuse(response: ServerResponse, status: number): void {
    const { metadataAt = `${server.origin}/.well-known/oauth-protected-resource/mcp`, scope } = defects
    const error = status === 403 ? 'error="insufficient_scope", ' : ''
    const wanted = scope === undefined ? '' : `scope="${scope}", `
    response.setHeader('www-authenticate', `Bearer ${error}${wanted}resource_metadata="${metadataAt}"`)
    json(response, status, { error: 'refused' })
  }

  return {
    url: `${server.origin}/mcp`,
    issuer: authorizationServer.origin,
    seen,
    defects,
    count: (path) => seen.filter(({ url }) => url.pathname === path).length,
    revokeAll: () => issuer.revokeAll(),
    async [Symbol.asyncDispose]() {
      await Promise.all([server.close(), authorizationServer.close()])
    },
  }
}
