import * as oauth from 'oauth4webapi'
import { AuthError } from '../shared/auth-error.ts'
import { jsonObjectOf } from '../shared/response-body.ts'
import { checkUrl } from '../shared/url-policy.ts'
import { failureOf, type Passage, passing } from './oauth.ts'

/** What an authorization server knows a client by. */
export interface RegisteredClient {
  readonly clientId: string
  readonly clientSecret?: string | undefined
  /** How the client authenticates, when the authorization server said so. */
  readonly method?: string | undefined
  /** Where the browser may come back to. */
  readonly redirectUri?: string | undefined
  /** When the secret ends, in milliseconds since 1970. */
  readonly expiresAt?: number | undefined
}

/** What a program says of itself when it registers. */
export interface ClientDescription {
  readonly name: string
  readonly redirectUri: string
  /** Whether tokens will be bound to a key. */
  readonly bindsTokens: boolean
}

const action = 'register with the authorization server'

/** Asks an authorization server to know this program as a client. @see https://www.rfc-editor.org/rfc/rfc7591 */
export async function registrationRequest(
  server: oauth.AuthorizationServer,
  { name, redirectUri, bindsTokens }: ClientDescription,
  passage: Omit<Passage, 'action'>,
): Promise<Response> {
  checkUrl(server.registration_endpoint ?? '', passage.network.policy, action)
  const metadata = {
    client_name: name,
    redirect_uris: [redirectUri],
    grant_types: ['authorization_code', 'refresh_token'],
    response_types: ['code'],
    application_type: new URL(redirectUri).protocol === 'https:' ? 'web' : 'native',
    token_endpoint_auth_method: wantedMethod(server),
    ...(bindsTokens && { dpop_bound_access_tokens: true }),
  }
  return oauth.dynamicClientRegistrationRequest(server, metadata, passing({ ...passage, action }))
}

/** Reads who the client is now. */
export async function processRegistration(response: Response, redirectUri: string): Promise<RegisteredClient> {
  const document = (await jsonObjectOf(response.clone())) ?? {}
  const { client_id: clientId, client_secret: secret, client_secret_expires_at: expires } = document
  if (!response.ok) throw await refusal(response)
  if (typeof clientId !== 'string' || clientId === '') {
    throw new AuthError('invalid', `Cannot ${action}: the answer names no client`)
  }
  return {
    clientId,
    redirectUri,
    ...(typeof secret === 'string' && secret !== '' && { clientSecret: secret }),
    ...(typeof document.token_endpoint_auth_method === 'string' && { method: document.token_endpoint_auth_method }),
    ...(typeof expires === 'number' && expires > 0 && { expiresAt: expires * 1_000 }),
  }
}

async function refusal(response: Response): Promise<AuthError> {
  try {
    await oauth.processDynamicClientRegistrationResponse(response)
    return new AuthError('registration', `Cannot ${action}: it answers ${response.status}`)
  } catch (error) {
    const { message, error: code } = await failureOf(error, action)
    return new AuthError('registration', message, { error: code })
  }
}

// a program in the hands of a user can keep no secret, so it asks for one only where it must
function wantedMethod({
  token_endpoint_auth_methods_supported: methods = ['none'],
}: oauth.AuthorizationServer): string {
  const order = ['none', 'client_secret_basic', 'client_secret_post']
  return order.find((method) => methods.includes(method)) ?? 'none'
}
