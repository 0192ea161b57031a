import { memorySecrets } from '../../stores/secret-store.ts'
import { AuthError } from '../shared/auth-error.ts'
import { type AuthOptions, authSettings } from './auth-options.ts'
import {
  clientAuthentication,
  type KeyedClient,
  preregisteredOptions,
  type RegisteredClient,
} from './client-authentication.ts'
import { findServer } from './discover.ts'
import { byAssertion, type Grant, type GrantRequest } from './grant.ts'
import { TokenAuthorizer } from './token-authorizer.ts'
import { exchange } from './tokens.ts'

/** The token that the identity provider issued when the user signed in. */
export interface Identity {
  readonly token: string
  /** @default 'id_token' */
  readonly type?: 'id_token' | 'saml2' | 'refresh_token'
}

/** The identity provider of an enterprise, which decides who may use which server. */
export interface IdentityProvider {
  readonly issuer: string
  /** The client as it is registered with the identity provider. */
  readonly client: Pick<RegisteredClient, 'clientId' | 'clientSecret'> | KeyedClient
  /** Returns the user's identity; called for each exchange. */
  readonly identity: () => Identity | Promise<Identity>
}

/** Options of {@link enterpriseManaged}. */
export type EnterpriseManagedOptions = AuthOptions &
  (Pick<RegisteredClient, 'clientId' | 'clientSecret'> | KeyedClient) & { readonly identityProvider: IdentityProvider }

/** Authorizes a user through the identity provider of their enterprise, without a consent page. */
export function enterpriseManaged(options: EnterpriseManagedOptions): TokenAuthorizer {
  const { identityProvider, trusted = [] } = options
  const grant: Grant = {
    isBound: true,
    obtain: async (request) => byAssertion(await permission(identityProvider, request), options, request),
  }
  // the program configured it, so a private address is allowed
  const known = { ...preregisteredOptions, identityProvider: true }
  const trusting = { ...options, trusted: [...trusted, identityProvider.issuer] }
  const settings = authSettings(trusting, { store: memorySecrets, known })
  return new TokenAuthorizer(grant, settings)
}

const permissionType = 'urn:ietf:params:oauth:token-type:id-jag'

/**
 * Exchanges the user's identity for an identity assertion grant (ID-JAG). @see https://www.rfc-editor.org/rfc/rfc8693
 */
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
  throw new AuthError('invalid', `Cannot ${action}: it returned another type of token`)
}
