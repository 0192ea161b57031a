import { errors, type JWTPayload, jwtVerify } from 'jose'
import type { Claims, Expected } from './claims.ts'
import type { Keys } from './issuer-keys.ts'
import { TokenProblem } from './token-problem.ts'

/** Verifies a token and resolves with its claims; rejects with a {@link TokenProblem} when it is not valid. */
export type Verify = (token: string) => Promise<Claims>

export interface JwtOptions extends Expected {
  readonly keys: Keys
  readonly algorithms: readonly string[]
  readonly leewayMs: number
  readonly now: () => number
}

/** The asymmetric signature algorithms. */
export const asymmetricAlgorithms: readonly string[] = [
  ...['RS256', 'RS384', 'RS512', 'PS256', 'PS384', 'PS512'],
  ...['ES256', 'ES384', 'ES512', 'EdDSA', 'Ed25519'],
]

/** Verifies JWT access tokens with the keys of their issuer. */
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
      if (!isAccessToken(protectedHeader.typ))
        throw new TokenProblem('invalid_token', 'The token is not an access token')
      return payload
    } catch (error) {
      throw problemOf(error)
    }
  }
}

// the same key also signs other types, such as logout tokens
function isAccessToken(type: string | undefined): boolean {
  return type === undefined || /^(?:application\/)?(?:at\+)?jwt$/i.test(type)
}

/** The {@link TokenProblem} for an error of verification; a failure to fetch the keys stays as it is. */
function problemOf(error: unknown): unknown {
  if (!(error instanceof errors.JOSEError) || keyFailures.includes(error.code)) return error
  return new TokenProblem('invalid_token', sentenceFor(error))
}

const keyFailures: readonly string[] = ['ERR_JOSE_GENERIC', 'ERR_JWKS_INVALID', 'ERR_JWKS_TIMEOUT']

function sentenceFor(error: errors.JOSEError): string {
  if (error instanceof errors.JWTExpired) return 'The token has expired'
  if (!(error instanceof errors.JWTClaimValidationFailed)) return 'The token is not valid'
  return (
    sentences.get(error.claim as keyof JWTPayload) ?? 'The token lacks a required claim, or has one with a wrong value'
  )
}

const sentences: ReadonlyMap<keyof JWTPayload, string> = new Map([
  ['aud', 'The token was not issued for this server'],
  ['iss', 'The token was not issued by the authorization server of this server'],
  ['nbf', 'The token is not valid yet'],
])
