import { calculateJwkThumbprint, exportJWK, generateKeyPair, importJWK, type JWK, SignJWT } from 'jose'
import * as oauth from 'oauth4webapi'
import { toBase64url } from '../../wire/base64url.ts'

const algorithm = 'ES256'

/** A DPoP key: tokens that are bound to it cannot be used without it. @see https://www.rfc-editor.org/rfc/rfc9449 */
export class DpopKey {
  /** The key as `oauth4webapi` uses it at the token endpoint. */
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

  /** Creates a key, or restores a stored one. */
  static async from(kept?: JWK): Promise<DpopKey> {
    const jwk = kept ?? (await exportJWK((await generateKeyPair(algorithm, { extractable: true })).privateKey))
    const { d: _, ...publicJwk } = jwk
    const [privateKey, publicKey] = (await Promise.all([
      importJWK(jwk, algorithm),
      importJWK(publicJwk, algorithm, { extractable: true }),
    ])) as [CryptoKey, CryptoKey]
    return new DpopKey(jwk, publicJwk, { privateKey, publicKey })
  }

  /** The thumbprint for `dpop_jkt`. */
  thumbprint(): Promise<string> {
    return calculateJwkThumbprint(this.#publicJwk)
  }

  /** Stores the nonce for the next proofs. */
  expect(nonce: string | null): void {
    if (nonce !== null) this.#nonce = nonce
  }

  /** Makes the proof for one request. */
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
