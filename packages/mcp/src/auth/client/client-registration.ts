import type { AuthorizationServer } from 'oauth4webapi'
import * as oauth from 'oauth4webapi'
import { AuthError } from '../shared/auth-error.ts'
import { jsonObjectOf } from '../shared/response-body.ts'
import { checkUrl } from '../shared/url-policy.ts'
import type { RegisteredClient } from './client-authentication.ts'
import type { GrantRequest } from './grant.ts'
import { failureOf, type OAuthRequestOptions, oauthRequestOptions } from './oauth-requests.ts'

/** Identity of a program that signs users in: preregistered, by a metadata document, or by registering. */
export interface ClientChoice {
  /** A preregistered client. */
  readonly client?: Pick<RegisteredClient, 'clientId' | 'clientSecret'>
  /** The `https:` URL of a client ID metadata document, for servers that support them. */
  readonly clientIdUrl?: string
  /** The name of the program that users see. @default 'Trunkline' */
  readonly clientName?: string
}

/** The client to use without registering: preregistered, described by a metadata document, or registered before. */
export async function knownClient(choice: ClientChoice, request: GrantRequest): Promise<RegisteredClient | undefined> {
  const { authorizationServer: server, records } = request
  if (choice.client) return choice.client
  if (choice.clientIdUrl !== undefined && server.client_id_metadata_document_supported === true) {
    return { clientId: choice.clientIdUrl }
  }
  const kept = await records.client(server.issuer)
  const isOver = kept?.expiresAt !== undefined && kept.expiresAt <= request.now()
  return isOver ? undefined : kept
}

/** Registers with an authorization server and stores the client. */
export async function registeredClient(
  choice: ClientChoice,
  redirectUri: string,
  request: GrantRequest,
): Promise<RegisteredClient> {
  const { authorizationServer: server, records, network, signal } = request
  if (server.registration_endpoint === undefined) throw noWay(server)
  const description = { name: choice.clientName ?? 'Trunkline', redirectUri, bindsTokens: request.proof !== undefined }
  const response = await registrationRequest(server, description, { network, signal })
  const client = await processRegistration(response, redirectUri)
  await records.keepClient(server.issuer, client)
  return client
}

/** Checks the options that do not depend on a server. */
export function checkClientChoice({ clientIdUrl }: ClientChoice): void {
  if (clientIdUrl === undefined) return
  const url = URL.canParse(clientIdUrl) ? new URL(clientIdUrl) : undefined
  if (url?.protocol === 'https:' && url.pathname !== '/' && url.hash === '') return
  throw new AuthError(
    'registration',
    `Cannot use "${clientIdUrl}" as a client id: it must be an https: URL with a path`,
  )
}

function noWay({ issuer }: AuthorizationServer): AuthError {
  const fix = 'register the program by hand and give it as "client"'
  return new AuthError('registration', `Cannot sign in: "${issuer}" has no registration for this client; ${fix}`)
}

/** The client metadata of a registration. */
export interface ClientDescription {
  readonly name: string
  readonly redirectUri: string
  /** True if tokens will be bound to a key. */
  readonly bindsTokens: boolean
}

const action = 'register with the authorization server'

/** Sends a dynamic client registration. @see https://www.rfc-editor.org/rfc/rfc7591 */
export async function registrationRequest(
  server: oauth.AuthorizationServer,
  { name, redirectUri, bindsTokens }: ClientDescription,
  request: Omit<OAuthRequestOptions, 'action'>,
): Promise<Response> {
  checkUrl(server.registration_endpoint ?? '', request.network.policy, action)
  const metadata = {
    client_name: name,
    redirect_uris: [redirectUri],
    grant_types: ['authorization_code', 'refresh_token'],
    response_types: ['code'],
    application_type: new URL(redirectUri).protocol === 'https:' ? 'web' : 'native',
    token_endpoint_auth_method: wantedMethod(server),
    ...(bindsTokens && { dpop_bound_access_tokens: true }),
  }
  return oauth.dynamicClientRegistrationRequest(server, metadata, oauthRequestOptions({ ...request, action }))
}

/** Reads the registered client from the response. */
export async function processRegistration(response: Response, redirectUri: string): Promise<RegisteredClient> {
  const document = (await jsonObjectOf(response.clone())) ?? {}
  const { client_id: clientId, client_secret: secret, client_secret_expires_at: expires } = document
  if (!response.ok) throw await refusal(response)
  if (typeof clientId !== 'string' || clientId === '') {
    throw new AuthError('invalid', `Cannot ${action}: the response contains no "client_id"`)
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

// a program on a user's machine cannot keep a secret, so it asks for one only where the server requires it
function wantedMethod({
  token_endpoint_auth_methods_supported: methods = ['none'],
}: oauth.AuthorizationServer): string {
  const order = ['none', 'client_secret_basic', 'client_secret_post']
  return order.find((method) => methods.includes(method)) ?? 'none'
}
