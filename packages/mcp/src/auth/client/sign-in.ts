import { platform } from '#auth'
import { AuthError } from '../shared/auth-error.ts'
import { type AskUserOptions, askUser } from './ask-user.ts'
import { checkClientChoice } from './client.ts'
import type { Grant, Need } from './grant.ts'
import { type AuthOptions, addressIn, authSettings } from './options.ts'
import { isForgotten, refresh } from './refresh-token.ts'
import { TokenAuthorizer } from './token-authorizer.ts'

export interface SignInOptions extends AuthOptions, AskUserOptions {}

/** Authorizes a user, who is asked in the browser once; later the tokens are remembered and renewed. */
export function signIn(options: SignInOptions = {}): TokenAuthorizer {
  checkClientChoice(options)
  if (options.redirectUri !== undefined) addressIn('redirectUri', options.redirectUri)
  const grant: Grant = {
    isBound: options.client !== undefined,
    obtain: (need) => askUser(options, need).catch((error: unknown) => doubted(error, need)),
    renew: (tokens, need) => refresh(tokens, options.client ?? tokens.client, need),
  }
  return new TokenAuthorizer(grant, authSettings(options, platform.defaultSecrets))
}

/** Registers anew the next time, when it may be that the server does not know the program any more. */
async function doubted(error: unknown, { records, authorizationServer }: Need): Promise<never> {
  const isSilence = error instanceof AuthError && error.problem === 'sign-in'
  if (isSilence || isForgotten(error)) await records.dropClient(authorizationServer.issuer)
  throw error
}
