/** Authorization for clients over HTTP. The only client entry that loads OAuth. */

import { platform } from '#auth'
import type { SecretStore } from './stores/secret-store.ts'

export type { AuthLimits, AuthOptions } from './auth/client/auth-options.ts'
export type { AskUserOptions } from './auth/client/authorization-code.ts'
export type { RedirectChoice } from './auth/client/browser-redirect.ts'
export type { KeyedClient, PrivateKey, RegisteredClient } from './auth/client/client-authentication.ts'
export {
  type ClientCredentialsOptions,
  clientCredentials,
  type SecretClient,
} from './auth/client/client-credentials.ts'
export type { ClientChoice } from './auth/client/client-registration.ts'
export {
  type EnterpriseManagedOptions,
  enterpriseManaged,
  type Identity,
  type IdentityProvider,
} from './auth/client/enterprise-managed.ts'
export { type SignInOptions, signIn } from './auth/client/sign-in.ts'
export type { TokenAuthorizer } from './auth/client/token-authorizer.ts'
export { type WorkloadIdentityOptions, workloadIdentity } from './auth/client/workload-identity.ts'
export { AuthError, type AuthErrorOptions, type AuthProblem } from './auth/shared/auth-error.ts'
export type { NetworkLimits } from './auth/shared/network.ts'
export type { AuthHeaders, Authorizer, Refusal } from './rpc/authorizer.ts'
export { memorySecrets, type SecretStore } from './stores/secret-store.ts'

/** Stores each secret in its own file, which only the user can read. */
export function fileSecrets(folder: string): SecretStore {
  return platform.fileSecrets(folder)
}

/** Opens a page in the user's browser; rejects when no browser can be started. */
export function openBrowser(url: URL): Promise<void> {
  return platform.openBrowser(url)
}
