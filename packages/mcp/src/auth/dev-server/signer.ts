import { exportJWK, generateKeyPair, type JWK, SignJWT } from 'jose'
import type { IssuedGrant } from './grants.ts'

interface Issue {
  readonly issuer: string
  readonly lastsMs: number
}

const algorithm = 'ES256'

/** Signs access tokens with a key that lives as long as the process. */
export class Signer {
  readonly #privateKey: CryptoKey
  readonly #publicJwk: JWK
  readonly #now: () => number

  private constructor(privateKey: CryptoKey, publicJwk: JWK, now: () => number) {
    this.#privateKey = privateKey
    this.#publicJwk = publicJwk
    this.#now = now
  }

  static async make(now: () => number): Promise<Signer> {
    const { privateKey, publicKey } = await generateKeyPair(algorithm)
    const publicJwk = { ...(await exportJWK(publicKey)), kid: crypto.randomUUID(), use: 'sig', alg: algorithm }
    return new Signer(privateKey, publicJwk, now)
  }

  /** The public keys. */
  get jwks(): { readonly keys: readonly JWK[] } {
    return { keys: [this.#publicJwk] }
  }

  sign({ clientId, subject, scopes, resources }: IssuedGrant, { issuer, lastsMs }: Issue): Promise<string> {
    const now = Math.floor(this.#now() / 1_000)
    return new SignJWT({ client_id: clientId, ...(scopes.length > 0 && { scope: scopes.join(' ') }) })
      .setProtectedHeader({ alg: algorithm, typ: 'at+jwt', kid: this.#publicJwk.kid ?? '' })
      .setIssuer(issuer)
      .setSubject(subject)
      .setAudience(audienceOf(resources, issuer))
      .setJti(crypto.randomUUID())
      .setIssuedAt(now)
      .setExpirationTime(now + Math.floor(lastsMs / 1_000))
      .sign(this.#privateKey)
  }
}

// without a resource the audience is the issuer, so that no server accepts the token
function audienceOf(resources: readonly string[], issuer: string): string | string[] {
  return resources.length > 1 ? [...resources] : (resources[0] ?? issuer)
}
