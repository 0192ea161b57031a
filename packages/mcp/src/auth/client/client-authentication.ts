import { importJWK, importPKCS8, type JWK, type CryptoKey as RuntimeKey } from 'jose'
import * as oauth from 'oauth4webapi'
import type { KnownOptions } from '../../wire/known-options.ts'
import { AuthError } from '../shared/auth-error.ts'

/** A client as it is registered with an authorization server. */
export interface RegisteredClient {
  readonly clientId: string
  readonly clientSecret?: string | undefined
  /** Authentication method of the client, if the authorization server named one. */
  readonly method?: string | undefined
  /** The redirect URI. */
  readonly redirectUri?: string | undefined
  /** Expiry of the secret, in milliseconds since 1970. */
  readonly expiresAt?: number | undefined
}

/** A private key as PKCS #8 in PEM, as a JWK, or as the runtime holds it. */
export type PrivateKey = string | JWK | RuntimeKey

/** A client that authenticates with a private key. */
export interface KeyedClient {
  readonly clientId: string
  readonly privateKey: PrivateKey
  /** The algorithm that the key is for. @default 'ES256', or what the key says */
  readonly algorithm?: string
  /** The id of the key, when the client has several. */
  readonly keyId?: string
}

/** The options by which a grant is given a preregistered client. */
export const preregisteredOptions = {
  clientId: true,
  clientSecret: true,
  privateKey: true,
  algorithm: true,
  keyId: true,
} as const satisfies KnownOptions<KeyedClient & Pick<RegisteredClient, 'clientSecret'>>

/** A client as `oauth4webapi` takes it. */
export interface ClientAuthentication {
  readonly client: oauth.Client
  readonly authentication: oauth.ClientAuth
}

/** Authenticates a preregistered client, with its secret or its key. */
export async function clientAuthentication(
  client: RegisteredClient | KeyedClient,
  server: oauth.AuthorizationServer,
): Promise<ClientAuthentication> {
  return 'privateKey' in client ? keyAuthentication(client) : secretAuthentication(client, server)
}

/** Authenticates a client with a secret, or without one. */
export function secretAuthentication(
  client: RegisteredClient,
  server: oauth.AuthorizationServer,
): ClientAuthentication {
  const { clientId, clientSecret } = client
  return { client: { client_id: clientId }, authentication: authenticationOf(clientSecret, methodOf(client, server)) }
}

/** Authenticates a client with a key. */
export async function keyAuthentication({ clientId, keyId, ...given }: KeyedClient): Promise<ClientAuthentication> {
  const key = await keyOf(given)
  const authentication = oauth.PrivateKeyJwt(keyId === undefined ? key : { key, kid: keyId })
  return { client: { client_id: clientId }, authentication }
}

function methodOf({ clientSecret, method }: RegisteredClient, server: oauth.AuthorizationServer): string {
  if (clientSecret === undefined) return 'none'
  const { token_endpoint_auth_methods_supported: offered = ['client_secret_basic'] } = server
  if (method !== undefined) return method
  const order = ['client_secret_basic', 'client_secret_post', 'none']
  return order.find((candidate) => offered.includes(candidate)) ?? 'client_secret_basic'
}

function authenticationOf(secret: string | undefined, method: string): oauth.ClientAuth {
  if (secret === undefined || method === 'none') return oauth.None()
  if (method === 'client_secret_basic') return basic(secret)
  if (method === 'client_secret_post') return oauth.ClientSecretPost(secret)
  throw new AuthError('registration', `Cannot authenticate by "${method.slice(0, 40)}": only a secret was given`)
}

// "oauth4webapi" also encodes "-" and the like, which servers that do not decode reject
function basic(secret: string): oauth.ClientAuth {
  const encoded = (text: string): string => new URLSearchParams([['', text]]).toString().slice(1)
  return (_server, { client_id: id }, body, headers) => {
    headers.set('authorization', `Basic ${btoa(`${encoded(id)}:${encoded(secret)}`)}`)
    // RFC 6749 requires it only without authentication, but some servers always expect it
    body.set('client_id', id)
  }
}

async function keyOf({ privateKey, algorithm = 'ES256' }: Omit<KeyedClient, 'clientId'>): Promise<CryptoKey> {
  if (privateKey instanceof CryptoKey) return privateKey
  try {
    const imported =
      typeof privateKey === 'string'
        ? await importPKCS8(privateKey, algorithm)
        : await importJWK(privateKey, privateKey.alg ?? algorithm)
    if (imported instanceof CryptoKey && imported.type === 'private') return imported
  } catch {
    // the runtime's error may contain a part of the key
  }
  throw new AuthError('registration', `Cannot use the private key: it is not a key for "${algorithm}"`)
}
