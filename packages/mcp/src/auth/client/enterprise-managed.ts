import { memorySecrets } from '../../stores/secret-store.ts'
import { AuthError } from '../shared/auth-error.ts'
import { clientAuthentication, type KeyedClient, type RegisteredClient } from './client-authentication.ts'
import { findServer } from './discover.ts'
import { byAssertion, type Grant, type GrantRequest } from './grant.ts'
import { type AuthOptions, authSettings } from './options.ts'
import { TokenAuthorizer } from './token-authorizer.ts'
import { exchange } from './tokens.ts'

/** What the identity provider gave the user when signing in. */
export interface Identity {
  readonly token: string
  /** @default 'id_token' */
  readonly type?: 'id_token' | 'saml2' | 'refresh_token'
}

/** The identity provider of an enterprise, which says who may use what. */
export interface IdentityProvider {
  readonly issuer: string
  /** What the identity provider knows this program by. */
  readonly client: Pick<RegisteredClient, 'clientId' | 'clientSecret'> | KeyedClient
  /** Who the user is; asked for anew each time. */
  readonly identity: () => Identity | Promise<Identity>
}

/** How a program gets tokens by the identity provider of an organization. */
export type EnterpriseManagedOptions = AuthOptions &
  (Pick<RegisteredClient, 'clientId' | 'clientSecret'> | KeyedClient) & { readonly identityProvider: IdentityProvider }

/** Authorizes a user by what the identity provider of their enterprise allows, without asking them. */
export function enterpriseManaged(options: EnterpriseManagedOptions): TokenAuthorizer {
  const { identityProvider, trusted = [] } = options
  const grant: Grant = {
    isBound: true,
    obtain: async (request) => byAssertion(await permission(identityProvider, request), options, request),
  }
  // the user names it, so it may be where only the enterprise can reach it
  const settings = authSettings({ ...options, trusted: [...trusted, identityProvider.issuer] }, memorySecrets)
  return new TokenAuthorizer(grant, settings)
}

const permissionType = 'urn:ietf:params:oauth:token-type:id-jag'

/** Exchanges who the user is for what the user may do. @see https://www.rfc-editor.org/rfc/rfc8693 */
async function permission({ issuer, client, identity }: IdentityProvider, request: GrantRequest): Promise<string> {
  const { network, signal, scopes, resource, authorizationServer } = request
  const server = await findServer(issuer, { network, signal })
  const action = 'get permission from the identity provider'
  const at = {
    ...(await clientAuthentication(client, server)),
    server,
    network,
    signal,
    action,
  }
  const { token, type = 'id_token' } = await identity()
  const parameters = {
    requested_token_type: permissionType,
    subject_token: token,
    subject_token_type: `urn:ietf:params:oauth:token-type:${type}`,
    audience: authorizationServer.issuer,
    resource: resource.resource,
    ...(scopes.length > 0 && { scope: scopes.join(' ') }),
  }
  const recognizedTokenTypes = { n_a: () => {} }
  const answer = await exchange(
    at,
    { type: 'urn:ietf:params:oauth:grant-type:token-exchange', parameters },
    { recognizedTokenTypes },
  )
  if (answer.issued_token_type === permissionType) return answer.access_token
  throw new AuthError('invalid', `Cannot ${action}: it gives something else`)
}
