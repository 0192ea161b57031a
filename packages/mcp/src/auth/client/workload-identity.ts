import { memorySecrets } from '../../stores/secret-store.ts'
import type { KeyedClient, RegisteredClient } from './client-authentication.ts'
import { byAssertion, type Grant } from './grant.ts'
import { type AuthOptions, authSettings } from './options.ts'
import { TokenAuthorizer } from './token-authorizer.ts'

/** How a program gets tokens by what its platform says of it. */
export type WorkloadIdentityOptions = AuthOptions &
  (Pick<RegisteredClient, 'clientId' | 'clientSecret'> | KeyedClient) & {
    /** The token by which the platform that the program runs on vouches for it; asked for anew each time. */
    readonly assertion: (issuer: string) => string | Promise<string>
  }

/** Authorizes a program by what the platform it runs on says of it. */
export function workloadIdentity(options: WorkloadIdentityOptions): TokenAuthorizer {
  const grant: Grant = {
    isBound: true,
    async obtain(request) {
      return byAssertion(await options.assertion(request.authorizationServer.issuer), options, request)
    },
  }
  return new TokenAuthorizer(grant, authSettings(options, memorySecrets))
}
