import { createRemoteJWKSet, customFetch, type JWTVerifyGetKey } from 'jose'
import { AuthError } from '../shared/auth-error.ts'
import { guardedFetch } from '../shared/guarded-fetch.ts'
import type { Network } from '../shared/network.ts'
import { issuerMetadata } from './issuer-metadata.ts'

/** Loads the function that finds the key of a token. */
export type Keys = () => Promise<JWTVerifyGetKey>

export interface KeysOptions {
  readonly issuer: string
  /** The URL of the JWK set. @default where the metadata of the issuer says */
  readonly jwksUri?: string | undefined
  readonly network: Network
}

const action = 'get the keys of the authorization server'

/** The keys of an issuer: fetched on first use, and again when a token names an unknown key, with a cooldown. */
export function issuerKeys({ issuer, jwksUri, network }: KeysOptions): Keys {
  let keys: Promise<JWTVerifyGetKey> | undefined
  const find = async (): Promise<JWTVerifyGetKey> => {
    const address = jwksUri ?? (await issuerMetadata(issuer, network)).jwks_uri
    if (address === undefined || !URL.canParse(address)) {
      throw new AuthError(
        'discovery',
        `Cannot ${action}: the metadata of "${issuer}" does not say where they are; give it as "jwksUri"`,
      )
    }
    return createRemoteJWKSet(new URL(address), {
      [customFetch]: async (url, { signal }) => {
        const response = await guardedFetch({ url, signal, action }, network)
        if (response.ok) return response
        throw new AuthError('discovery', `Cannot ${action}: at "${address}" it answers ${response.status}`)
      },
    })
  }
  return () => {
    keys ??= find().catch((error) => {
      keys = undefined
      throw error
    })
    return keys
  }
}
