import { calculateJwkThumbprint, exportJWK, generateKeyPair, importJWK, type JWK, SignJWT } from 'jose'
import * as oauth from 'oauth4webapi'
import { toBase64url } from '../../wire/base64url.ts'

const algorithm = 'ES256'

/** A key that tokens are bound to, so that nobody else can use them. @see https://www.rfc-editor.org/rfc/rfc9449 */
export class DpopKey {
  /** What `oauth4webapi` proves possession by at the token endpoint. */
  readonly handle: oauth.DPoPHandle
  /** The private key, for the store. */
  readonly jwk: JWK
  readonly #privateKey: CryptoKey
  readonly #publicJwk: JWK
  #nonce: string | undefined

  private constructor(jwk: JWK, publicJwk: JWK, keys: oauth.CryptoKeyPair) {
    this.jwk = jwk
    this.#publicJwk = publicJwk
    this.#privateKey = keys.privateKey
    this.handle = oauth.DPoP({}, keys)
  }

  /** Makes a new key, or the one that was kept. */
  static async from(kept?: JWK): Promise<DpopKey> {
    const jwk = kept ?? (await exportJWK((await generateKeyPair(algorithm, { extractable: true })).privateKey))
    const { d: _, ...publicJwk } = jwk
    const [privateKey, publicKey] = (await Promise.all([
      importJWK(jwk, algorithm),
      importJWK(publicJwk, algorithm, { extractable: true }),
    ])) as [CryptoKey, CryptoKey]
    return new DpopKey(jwk, publicJwk, { privateKey, publicKey })
  }

  /** What an authorization code has to be bound to. */
  thumbprint(): Promise<string> {
    return calculateJwkThumbprint(this.#publicJwk)
  }

  /** Takes note of what the server wants to see in the next proofs. */
  expect(nonce: string | null): void {
    if (nonce !== null) this.#nonce = nonce
  }

  /** Proves for one request that the key is here. */
  async prove(request: { readonly method: string; readonly url: string }, accessToken: string): Promise<string> {
    const { origin, pathname } = new URL(request.url)
    const hash = await crypto.subtle.digest('SHA-256', new TextEncoder().encode(accessToken))
    const claims = {
      htm: request.method,
      htu: `${origin}${pathname}`,
      ath: toBase64url(new Uint8Array(hash)),
      ...(this.#nonce !== undefined && { nonce: this.#nonce }),
    }
    return new SignJWT(claims)
      .setProtectedHeader({ typ: 'dpop+jwt', alg: algorithm, jwk: this.#publicJwk })
      .setJti(crypto.randomUUID())
      .setIssuedAt()
      .sign(this.#privateKey)
  }
}
