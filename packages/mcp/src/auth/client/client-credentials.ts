import { memorySecrets } from '../../stores/secret-store.ts'
import { type AuthOptions, authSettings } from './auth-options.ts'
import {
  clientAuthentication,
  type KeyedClient,
  preregisteredOptions,
  type RegisteredClient,
} from './client-authentication.ts'
import type { Grant } from './grant.ts'
import { TokenAuthorizer } from './token-authorizer.ts'
import { exchange, tokensOf } from './tokens.ts'

/** A preregistered client with a secret. */
export interface SecretClient extends Pick<RegisteredClient, 'clientId'> {
  readonly clientSecret: string
}

/** Options for a program that gets tokens on its own behalf, without a user. */
export type ClientCredentialsOptions = AuthOptions & (SecretClient | KeyedClient)

/**
 * Authorizes a program that acts on its own behalf, with its secret or its key. @see
 * https://github.com/modelcontextprotocol/ext-auth /
 */
export function clientCredentials(options: ClientCredentialsOptions): TokenAuthorizer {
  const grant: Grant = {
    isBound: true,
    async obtain(request) {
      const { authorizationServer: server, resource, scopes, proof, network, signal } = request
      const action = 'get a token by the credentials of the client'
      const at = { ...(await clientAuthentication(options, server)), server, proof, network, signal, action }
      const parameters = { resource: resource.resource, ...(scopes.length > 0 && { scope: scopes.join(' ') }) }
      const answer = await exchange(at, { type: 'client_credentials', parameters })
      return tokensOf(answer, request, scopes)
    },
  }
  return new TokenAuthorizer(grant, authSettings(options, { store: memorySecrets, known: preregisteredOptions }))
}
