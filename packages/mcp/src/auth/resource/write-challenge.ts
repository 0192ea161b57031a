import type { AuthRefusal } from './authenticator.ts'
import type { TokenError } from './token-problem.ts'

/** The contents of a challenge. */
export interface ChallengeParts {
  readonly scheme: 'bearer' | 'dpop'
  /** Missing when the request had no credentials. */
  readonly error?: TokenError
  readonly message: string
  /** All scopes that the request needs. */
  readonly scopes: readonly string[]
  readonly metadataUrl: string
  readonly proofAlgorithms: readonly string[]
  readonly nonce?: string | undefined
}

/** A response with a `WWW-Authenticate` challenge. @see https://www.rfc-editor.org/rfc/rfc6750#section-3 */
export function challengeAnswer(challenge: ChallengeParts): AuthRefusal {
  const { error, message, nonce } = challenge
  const isForbidden = error === 'insufficient_scope'
  return {
    status: isForbidden ? 403 : 401,
    message: `${isForbidden ? 'Forbidden' : 'Unauthorized'}: ${message}`,
    headers: { 'www-authenticate': headerOf(challenge), ...(nonce !== undefined && { 'dpop-nonce': nonce }) },
  }
}

function headerOf({ scheme, error, message, scopes, metadataUrl, proofAlgorithms }: ChallengeParts): string {
  const parameters = {
    ...(error !== undefined && { error, error_description: message }),
    ...(scopes.length > 0 && { scope: scopes.join(' ') }),
    resource_metadata: metadataUrl,
    ...(scheme === 'dpop' && { algs: proofAlgorithms.join(' ') }),
  }
  const spelled = Object.entries(parameters).map(([name, value]) => `${name}="${value}"`)
  return `${scheme === 'dpop' ? 'DPoP' : 'Bearer'} ${spelled.join(', ')}`
}
