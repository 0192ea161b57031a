import { platform } from '#auth'
import { kindOfHost } from '../shared/address-ranges.ts'
import { guardedFetch } from '../shared/guarded-fetch.ts'
import { type Network, networkLimits } from '../shared/network.ts'
import { jsonObjectOf } from '../shared/response-body.ts'
import { OAuthError } from './responses.ts'

/** A client of the development server. */
export interface DevClient {
  readonly clientId: string
  /** @default the client proves nothing about itself */
  readonly clientSecret?: string
  /** The redirect URIs; the port of a loopback address is ignored. */
  readonly redirectUris: readonly string[]
}

/** The known clients, and how many registered ones are stored. */
export interface ClientsOptions {
  readonly clients: readonly DevClient[]
  readonly issuer: string
  readonly maxClients: number
}

/** All clients: configured, registered, and described by a metadata document. */
export class Clients {
  readonly #known: ReadonlyMap<string, DevClient>
  // in the order in which they registered
  readonly #registered = new Map<string, DevClient>()
  readonly #maxClients: number
  readonly #network: Network

  constructor({ clients, issuer, maxClients }: ClientsOptions) {
    this.#known = new Map(clients.map((client) => [client.clientId, client]))
    this.#maxClients = maxClients
    this.#network = {
      fetch: platform.fetchBy(undefined),
      policy: { server: new URL(issuer), trusted: new Set() },
      limits: { ...networkLimits, maxResponseBytes: 65_536, maxRedirects: 0 },
    }
  }

  /** Stores a registered client; drops the oldest beyond the limit. */
  register(client: DevClient): void {
    const [oldest] = this.#registered.keys()
    if (this.#registered.size >= this.#maxClients && oldest !== undefined) this.#registered.delete(oldest)
    this.#registered.set(client.clientId, client)
  }

  /** The number of stored registered clients. */
  get registered(): number {
    return this.#registered.size
  }

  /** The client with this id. */
  async find(clientId: string): Promise<DevClient> {
    const known = this.#given(clientId)
    if (known) return known
    if (!isDocument(clientId)) throw new OAuthError('invalid_client', 'No client has this "client_id"')
    const action = 'read what the client says about itself'
    try {
      const response = await guardedFetch(
        { url: clientId, headers: { accept: 'application/json' }, action },
        this.#network,
      )
      return describedClient(clientId, response.ok ? await jsonObjectOf(response) : undefined)
    } catch (error) {
      const why = error instanceof Error ? error.message : 'it failed'
      throw new OAuthError('invalid_client', why)
    }
  }

  /** Checks the secret of a client that requests a token. */
  authenticate(clientId: string, clientSecret: string | undefined): void {
    const known = this.#given(clientId)
    if (!known && !isDocument(clientId)) throw new OAuthError('invalid_client', 'No client has this "client_id"')
    if (known?.clientSecret !== clientSecret) throw new OAuthError('invalid_client', 'The client secret is wrong')
  }

  #given(clientId: string): DevClient | undefined {
    return this.#known.get(clientId) ?? this.#registered.get(clientId)
  }
}

/** True if a client id is the URL of a metadata document. */
function isDocument(clientId: string): boolean {
  if (!URL.canParse(clientId)) return false
  const { href, protocol, hostname, pathname, username, hash } = new URL(clientId)
  const isSafe = protocol === 'https:' || (protocol === 'http:' && kindOfHost(hostname) === 'loopback')
  return isSafe && href === clientId && pathname !== '/' && username === '' && hash === ''
}

function describedClient(clientId: string, document: Readonly<Record<string, unknown>> | undefined): DevClient {
  const { client_id: named, client_name: name, redirect_uris: uris, client_secret: secret } = document ?? {}
  if (named !== clientId) throw new Error('The client metadata document has another "client_id"')
  if (secret !== undefined) throw new Error('The client metadata document contains a secret')
  if (typeof name !== 'string' || !Array.isArray(uris) || !uris.every((uri) => typeof uri === 'string')) {
    throw new Error('The client metadata document lacks "client_name" or "redirect_uris"')
  }
  return { clientId, redirectUris: uris }
}

/** True if a redirect URI is registered for a client. @see https://www.rfc-editor.org/rfc/rfc8252#section-7.3 */
export function allowsRedirect({ redirectUris }: DevClient, redirectUri: string): boolean {
  return redirectUris.some((allowed) => allowed === redirectUri || sameButPort(allowed, redirectUri))
}

function sameButPort(allowed: string, redirectUri: string): boolean {
  if (!URL.canParse(allowed) || !URL.canParse(redirectUri)) return false
  const [one, other] = [new URL(allowed), new URL(redirectUri)]
  const isHere = one.protocol === 'http:' && ['127.0.0.1', '[::1]', 'localhost'].includes(one.hostname)
  one.port = other.port
  return isHere && one.href === other.href && redirectUri === other.href
}
