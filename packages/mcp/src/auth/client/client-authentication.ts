import { importJWK, importPKCS8, type JWK, type CryptoKey as RuntimeKey } from 'jose'
import * as oauth from 'oauth4webapi'
import { AuthError } from '../shared/auth-error.ts'

/** What an authorization server knows a client by. */
export interface RegisteredClient {
  readonly clientId: string
  readonly clientSecret?: string | undefined
  /** How the client authenticates, when the authorization server said so. */
  readonly method?: string | undefined
  /** Where the browser may come back to. */
  readonly redirectUri?: string | undefined
  /** When the secret ends, in milliseconds since 1970. */
  readonly expiresAt?: number | undefined
}

/** A private key as PKCS #8 in PEM, as a JWK, or as the runtime holds it. */
export type PrivateKey = string | JWK | RuntimeKey

/** A client that proves by a key who it is. */
export interface KeyedClient {
  readonly clientId: string
  readonly privateKey: PrivateKey
  /** The algorithm that the key is for. @default 'ES256', or what the key says */
  readonly algorithm?: string
  /** Which of the keys of the client this is. */
  readonly keyId?: string
}

/** A client as `oauth4webapi` takes it. */
export interface ClientAuthentication {
  readonly client: oauth.Client
  readonly authentication: oauth.ClientAuth
}

/** How a client that was registered beforehand shows an authorization server who it is: by its secret or its key. */
export async function clientAuthentication(
  client: RegisteredClient | KeyedClient,
  server: oauth.AuthorizationServer,
): Promise<ClientAuthentication> {
  return 'privateKey' in client ? keyAuthentication(client) : secretAuthentication(client, server)
}

/** How a client that has a secret, or none, shows an authorization server who it is. */
export function secretAuthentication(
  client: RegisteredClient,
  server: oauth.AuthorizationServer,
): ClientAuthentication {
  const { clientId, clientSecret } = client
  return { client: { client_id: clientId }, authentication: authenticationOf(clientSecret, methodOf(client, server)) }
}

/** How a client that has a key shows an authorization server who it is. */
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

// by the book, where a hyphen is a hyphen; "oauth4webapi" encodes more, which servers that do not decode refuse
function basic(secret: string): oauth.ClientAuth {
  const encoded = (text: string): string => new URLSearchParams([['', text]]).toString().slice(1)
  return (_server, { client_id: id }, body, headers) => {
    headers.set('authorization', `Basic ${btoa(`${encoded(id)}:${encoded(secret)}`)}`)
    // RFC 6749 wants it there only without authentication, yet some servers look for it in any case
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
    // what the runtime says may repeat a part of the key
  }
  throw new AuthError('registration', `Cannot use the private key: it is no key for "${algorithm}"`)
}
