import { memorySecrets } from '../../stores/secret-store.ts'
import { type AuthOptions, authSettings } from './auth-options.ts'
import { type KeyedClient, preregisteredOptions, type RegisteredClient } from './client-authentication.ts'
import { byAssertion, type Grant } from './grant.ts'
import { TokenAuthorizer } from './token-authorizer.ts'

/** Options of {@link workloadIdentity}. */
export type WorkloadIdentityOptions = AuthOptions &
  (Pick<RegisteredClient, 'clientId' | 'clientSecret'> | KeyedClient) & {
    /** Returns the platform's identity token for the program; called for each exchange. */
    readonly assertion: (issuer: string) => string | Promise<string>
  }

/** Authorizes a program with the identity token of the platform it runs on. */
export function workloadIdentity(options: WorkloadIdentityOptions): TokenAuthorizer {
  const grant: Grant = {
    isBound: true,
    async obtain(request) {
      return byAssertion(await options.assertion(request.authorizationServer.issuer), options, request)
    },
  }
  return new TokenAuthorizer(
    grant,
    authSettings(options, { store: memorySecrets, known: { ...preregisteredOptions, assertion: true } }),
  )
}
