import { errors, type JWTPayload, jwtVerify } from 'jose'
import type { Claims, Expected } from './claims.ts'
import type { Keys } from './issuer-keys.ts'
import { TokenProblem } from './token-problem.ts'

/** Finds out what a token says, and that it may be believed; rejects with a {@link TokenProblem} when not. */
export type Verify = (token: string) => Promise<Claims>

export interface JwtOptions extends Expected {
  readonly keys: Keys
  readonly algorithms: readonly string[]
  readonly leewayMs: number
  readonly now: () => number
}

/** The algorithms in which whoever can verify a token cannot make one. */
export const asymmetricAlgorithms: readonly string[] = [
  ...['RS256', 'RS384', 'RS512', 'PS256', 'PS384', 'PS512'],
  ...['ES256', 'ES384', 'ES512', 'EdDSA', 'Ed25519'],
]

/** Verifies tokens that say everything themselves, by the keys of their issuer. */
export function jwtVerifier({ keys, issuer, audiences, algorithms, leewayMs, now }: JwtOptions): Verify {
  return async (token) => {
    const findKey = await keys()
    try {
      const { payload, protectedHeader } = await jwtVerify(token, findKey, {
        issuer,
        audience: [...audiences],
        algorithms: [...algorithms] as never,
        clockTolerance: leewayMs / 1_000,
        currentDate: new Date(now()),
        requiredClaims: ['exp'],
      })
      if (!isAccessToken(protectedHeader.typ)) throw new TokenProblem('invalid_token', 'The token is no access token')
      return payload
    } catch (error) {
      throw problemOf(error)
    }
  }
}

// others, such as proofs and logout tokens, are signed by the same key and mean something else
function isAccessToken(type: string | undefined): boolean {
  return type === undefined || /^(?:application\/)?(?:at\+)?jwt$/i.test(type)
}

/** What is wrong with a token; an error in getting the keys stays as it is. */
function problemOf(error: unknown): unknown {
  if (!(error instanceof errors.JOSEError) || keyFailures.includes(error.code)) return error
  return new TokenProblem('invalid_token', sentenceFor(error))
}

const keyFailures: readonly string[] = ['ERR_JOSE_GENERIC', 'ERR_JWKS_INVALID', 'ERR_JWKS_TIMEOUT']

function sentenceFor(error: errors.JOSEError): string {
  if (error instanceof errors.JWTExpired) return 'The token has expired'
  if (!(error instanceof errors.JWTClaimValidationFailed)) return 'The token is not valid'
  return sentences.get(error.claim as keyof JWTPayload) ?? 'The token does not say what it has to say'
}

const sentences: ReadonlyMap<keyof JWTPayload, string> = new Map([
  ['aud', 'The token was not issued for this server'],
  ['iss', 'The token was not issued by the authorization server of this server'],
  ['nbf', 'The token is not valid yet'],
])
