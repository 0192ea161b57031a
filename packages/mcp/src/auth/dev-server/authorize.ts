import { scopesOf } from '../shared/scopes.ts'
import { allowsRedirect, type Clients } from './clients.ts'
import type { IssuedGrant, IssuedGrants } from './grants.ts'
import { RequestParameters } from './request-parameters.ts'
import { OAuthError, textResponse } from './responses.ts'

export interface AuthorizeParts {
  readonly issuer: string
  readonly clients: Clients
  readonly grants: IssuedGrants
  /** The subject of the tokens. */
  readonly subject: string
  /** The supported scopes. @default any */
  readonly scopes?: readonly string[]
  /** Decides instead of a user. */
  approve(grant: IssuedGrant): boolean | Promise<boolean>
}

/** Serves the authorization endpoint: redirects at once with a code, because no user is asked. */
export async function authorize(request: Request, parts: AuthorizeParts): Promise<Response> {
  try {
    const parameters = new RequestParameters(new URL(request.url).searchParams)
    const back = await redirectOf(parameters, parts.clients)
    return redirect(back, { ...(await outcome(parameters, back, parts)), ...echo(parameters, parts) })
  } catch (error) {
    if (error instanceof OAuthError) return textResponse(400, `Cannot sign in: ${error.message}`)
    throw error
  }
}

/** The redirect URI; codes and errors are sent only to URIs of the client. */
async function redirectOf(parameters: RequestParameters, clients: Clients): Promise<string> {
  const client = await clients.find(parameters.need('client_id'))
  const redirectUri = parameters.need('redirect_uri')
  if (allowsRedirect(client, redirectUri)) return redirectUri
  throw new OAuthError('invalid_request', '"redirect_uri" is not registered for this client')
}

async function outcome(
  parameters: RequestParameters,
  back: string,
  parts: AuthorizeParts,
): Promise<Record<string, string>> {
  try {
    return { code: await granted(parameters, back, parts) }
  } catch (error) {
    if (error instanceof OAuthError) return { error: error.error, error_description: error.message }
    throw error
  }
}

async function granted(
  parameters: RequestParameters,
  redirectUri: string,
  { grants, subject, scopes, approve }: AuthorizeParts,
): Promise<string> {
  if (parameters.need('response_type') !== 'code') {
    throw new OAuthError('unsupported_response_type', 'Only the response type "code" is supported')
  }
  const challenge = parameters.need('code_challenge')
  if (parameters.get('code_challenge_method') !== 'S256' || !/^[\w-]{43}$/.test(challenge)) {
    throw new OAuthError('invalid_request', 'A "code_challenge" of the method "S256" is needed')
  }
  const asked = scopesOf(parameters.get('scope'))
  if (scopes && !asked.every((scope) => scopes.includes(scope))) {
    throw new OAuthError('invalid_scope', 'One of the scopes does not exist')
  }
  const grant = { clientId: parameters.need('client_id'), subject, scopes: asked, resources: parameters.resources() }
  if (!(await approve(grant))) throw new OAuthError('access_denied', 'The request was denied')
  return grants.code({ ...grant, redirectUri, challenge })
}

/** The parameters of every redirect. @see https://www.rfc-editor.org/rfc/rfc9207 */
function echo(parameters: RequestParameters, { issuer }: AuthorizeParts): Record<string, string> {
  const state = parameters.get('state')
  return { ...(state !== undefined && { state }), iss: issuer }
}

function redirect(back: string, parameters: Record<string, string>): Response {
  const url = new URL(back)
  for (const [name, value] of Object.entries(parameters)) url.searchParams.set(name, value)
  return new Response(null, { status: 302, headers: { location: url.href, 'cache-control': 'no-store' } })
}
