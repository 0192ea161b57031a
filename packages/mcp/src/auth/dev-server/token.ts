import { toBase64url } from '../../wire/base64url.ts'
import { covers, scopesOf } from '../shared/scopes.ts'
import type { Clients } from './clients.ts'
import type { CodeGrant, IssuedGrant, IssuedGrants } from './grants.ts'
import { RequestParameters } from './request-parameters.ts'
import { json, OAuthError } from './responses.ts'
import type { Signer } from './signer.ts'

export interface TokenParts {
  readonly issuer: string
  readonly clients: Clients
  readonly grants: IssuedGrants
  readonly signer: Signer
  readonly tokenMs: number
}

interface Redeemed {
  readonly grant: IssuedGrant
  readonly refreshToken: string
}

/** Serves the token endpoint: authorization codes and refresh tokens. */
export async function token(request: Request, parts: TokenParts): Promise<Response> {
  try {
    const parameters = new RequestParameters(new URLSearchParams(await request.text()))
    const clientId = authenticated(request, parameters, parts.clients)
    return json(await issued(await redeemed(parameters, clientId, parts), parameters, parts))
  } catch (error) {
    if (!(error instanceof OAuthError)) throw error
    return json({ error: error.error, error_description: error.message }, error.error === 'invalid_client' ? 401 : 400)
  }
}

function authenticated(request: Request, parameters: RequestParameters, clients: Clients): string {
  const basic = basicOf(request.headers.get('authorization'))
  const clientId = basic?.clientId ?? parameters.need('client_id')
  clients.authenticate(clientId, basic ? basic.clientSecret : parameters.get('client_secret'))
  return clientId
}

function basicOf(header: string | null): { readonly clientId: string; readonly clientSecret: string } | undefined {
  const [, encoded] = /^basic +([\w+/=]+)$/i.exec(header ?? '') ?? []
  if (encoded === undefined) return undefined
  try {
    const [clientId = '', clientSecret = ''] = atob(encoded).split(':').map(formDecoded)
    return { clientId, clientSecret }
  } catch {
    throw new OAuthError('invalid_client', 'The credentials of the client cannot be read')
  }
}

function formDecoded(text: string): string {
  return decodeURIComponent(text.replaceAll('+', ' '))
}

async function redeemed(parameters: RequestParameters, clientId: string, { grants }: TokenParts): Promise<Redeemed> {
  const type = parameters.need('grant_type')
  if (type === 'authorization_code') {
    const challenge = await challengeOf(parameters.need('code_verifier'))
    const redirectUri = parameters.need('redirect_uri')
    const accepts = (grant: CodeGrant): boolean =>
      grant.clientId === clientId && grant.challenge === challenge && grant.redirectUri === redirectUri
    return known(grants.redeem(parameters.need('code'), accepts))
  }
  if (type !== 'refresh_token') throw new OAuthError('unsupported_grant_type', 'This grant type is not supported')
  // refused before the code or refresh token is used up
  const accepts = (grant: IssuedGrant): boolean =>
    grant.clientId === clientId && narrowed(grant, parameters) !== undefined
  return known(grants.rotate(parameters.need('refresh_token'), accepts))
}

function known(found: Redeemed | undefined): Redeemed {
  if (found) return found
  throw new OAuthError('invalid_grant', 'It is unknown, used, or for another client or request')
}

async function issued({ grant, refreshToken }: Redeemed, parameters: RequestParameters, parts: TokenParts) {
  const { signer, issuer, tokenMs } = parts
  const issuing = narrowed(grant, parameters)
  return {
    access_token: await signer.sign(issuing, { issuer, lastsMs: tokenMs }),
    token_type: 'Bearer',
    expires_in: Math.floor(tokenMs / 1_000),
    refresh_token: refreshToken,
    scope: issuing.scopes.join(' '),
  }
}

/** The requested part of a grant; all of it by default. */
function narrowed(grant: IssuedGrant, parameters: RequestParameters): IssuedGrant {
  const asked = parameters.resources()
  const scope = parameters.get('scope')
  const scopes = scope === undefined ? grant.scopes : scopesOf(scope)
  if (!covers(grant.scopes, scopes)) throw new OAuthError('invalid_scope', 'A scope was not allowed')
  if (!covers(grant.resources, asked)) throw new OAuthError('invalid_target', 'A resource was not allowed')
  return { ...grant, scopes, resources: asked.length > 0 ? asked : grant.resources }
}

/** @see https://www.rfc-editor.org/rfc/rfc7636#section-4.6 */
async function challengeOf(verifier: string): Promise<string> {
  return toBase64url(new Uint8Array(await crypto.subtle.digest('SHA-256', new TextEncoder().encode(verifier))))
}
