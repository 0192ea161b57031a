import { memorySecrets } from '../../stores/secret-store.ts'
import type { KeyedClient } from './authentication.ts'
import type { Grant } from './grant.ts'
import { byAssertion } from './jwt-bearer.ts'
import { type AuthOptions, authSettings } from './options.ts'
import type { RegisteredClient } from './registration.ts'
import { TokenAuthorizer } from './token-authorizer.ts'

export type WorkloadIdentityOptions = AuthOptions &
  (Pick<RegisteredClient, 'clientId' | 'clientSecret'> | KeyedClient) & {
    /** The token by which the platform that the program runs on vouches for it; asked for anew each time. */
    readonly assertion: (issuer: string) => string | Promise<string>
  }

/** Authorizes a program by what the platform it runs on says of it. */
export function workloadIdentity(options: WorkloadIdentityOptions): TokenAuthorizer {
  const grant: Grant = {
    isBound: true,
    async obtain(need) {
      return byAssertion(await options.assertion(need.authorizationServer.issuer), options, need)
    },
  }
  return new TokenAuthorizer(grant, authSettings(options, memorySecrets))
}
