/** An authorization server that others wrote, with a user who agrees to everything, and a server that it protects. */
import type { IncomingMessage, RequestListener, ServerResponse } from 'node:http'
import { createRemoteJWKSet, jwtVerify } from 'jose'
import { hosted, json, listening, type Seen } from './listening.ts'

/** The part of `oidc-provider` that is used here; it comes without types. */
interface Provider {
  callback(): (request: IncomingMessage, response: ServerResponse) => void
  on(event: string, listener: (...details: unknown[]) => void): void
  interactionDetails(request: IncomingMessage, response: ServerResponse): Promise<Interaction>
  interactionFinished(request: IncomingMessage, response: ServerResponse, result: object): Promise<void>
  readonly Grant: new (about: object) => Grant
}

interface Grant {
  addOIDCScope(scope: string): void
  addResourceScope(resource: string, scope: string): void
  save(): Promise<string>
}

interface Interaction {
  readonly prompt: { readonly name: string }
  readonly params: { readonly client_id: string; readonly scope?: string; readonly resource?: string }
}

export interface Oidc extends AsyncDisposable {
  readonly url: string
  readonly seen: readonly Seen[]
  /** Events of the authorization server, by its own account. */
  readonly events: readonly string[]
  /** Makes the server refuse the tokens that it has taken so far. */
  refuseOld(): void
}

export async function oidc(features: object = {}): Promise<Oidc> {
  const seen: Seen[] = []
  const taken = new Set<string>()
  const refused = new Set<string>()
  const { Provider } = (await import('oidc-provider' as string)) as {
    Provider: new (issuer: string, o: object) => Provider
  }
  let answer: RequestListener = () => {}
  const issuer = await hosted((request, response) => answer(request, response))
  const server = await listening('server', seen, async ({ url, headers }, response) => {
    const resource = `${server.origin}/mcp`
    if (url.pathname.startsWith('/.well-known/')) {
      return json(response, 200, { resource, authorization_servers: [issuer.origin], scopes_supported: ['mcp:read'] })
    }
    const token = headers.authorization?.split(' ')[1] ?? ''
    const isGood = !refused.has(token) && (await isFor(token, resource))
    if (isGood) return json(response, 200, { token: taken.add(token) && token })
    response.setHeader('www-authenticate', 'Bearer')
    json(response, 401, {})
  })
  const keys = createRemoteJWKSet(new URL(`${issuer.origin}/jwks`))
  const isFor = async (token: string, audience: string): Promise<boolean> =>
    jwtVerify(token, keys, { issuer: issuer.origin, audience }).then(
      () => true,
      () => false,
    )
  const provider = new Provider(issuer.origin, configuration(features))
  const events: string[] = []
  for (const event of ['registration_create.success', 'authorization.success', 'grant.success', 'grant.error']) {
    provider.on(event, () => events.push(event))
  }
  const callback = provider.callback()
  answer = (request, response) =>
    request.url?.startsWith('/interaction/') ? agree(provider, request, response) : callback(request, response)
  return {
    url: `${server.origin}/mcp`,
    seen,
    events,
    refuseOld() {
      for (const token of taken) refused.add(token)
    },
    async [Symbol.asyncDispose]() {
      await Promise.all([issuer.close(), server.close()])
    },
  }
}

function configuration(features: object): object {
  const resourceServer = { scope: 'mcp:read', accessTokenFormat: 'jwt', accessTokenTTL: 3_600 }
  const resourceIndicators = {
    enabled: true,
    getResourceServerInfo: (_: unknown, audience: string) => ({ ...resourceServer, audience }),
    useGrantedResource: () => true,
  }
  return {
    scopes: ['openid', 'offline_access', 'mcp:read'],
    cookies: { keys: ['for the test'] },
    findAccount: (_: unknown, accountId: string) => ({ accountId, claims: () => ({ sub: accountId }) }),
    interactions: { url: (_: unknown, { uid }: { uid: string }) => `/interaction/${uid}` },
    rotateRefreshToken: true,
    features: { devInteractions: { enabled: false }, registration: { enabled: true }, resourceIndicators, ...features },
  }
}

async function agree(provider: Provider, request: IncomingMessage, response: ServerResponse): Promise<void> {
  const { prompt, params } = await provider.interactionDetails(request, response)
  if (prompt.name === 'login') return provider.interactionFinished(request, response, { login: { accountId: 'user' } })
  const grant = new provider.Grant({ accountId: 'user', clientId: params.client_id })
  grant.addOIDCScope(params.scope ?? '')
  if (params.resource !== undefined) grant.addResourceScope(params.resource, params.scope ?? '')
  await provider.interactionFinished(request, response, { consent: { grantId: await grant.save() } })
}
