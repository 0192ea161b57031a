import { platform } from '#auth'
import { kindOfHost } from '../shared/address-ranges.ts'
import { guardedFetch } from '../shared/guarded-fetch.ts'
import { type Network, networkLimits } from '../shared/network.ts'
import { jsonObjectOf } from '../shared/response-body.ts'
import { OAuthError } from './responses.ts'

/** A program that may ask for tokens. */
export interface DevClient {
  readonly clientId: string
  /** @default the client proves nothing about itself */
  readonly clientSecret?: string
  /** Where the browser may be sent back to; the port of an address of this machine does not count. */
  readonly redirectUris: readonly string[]
}

/** Who may ask for tokens, and how many of those that registered are remembered. */
export interface ClientsOptions {
  readonly clients: readonly DevClient[]
  readonly issuer: string
  readonly maxClients: number
}

/** Everybody who may ask for tokens: those known before, those that registered, and those that describe themselves at a URL. */
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
      fetch: platform.fetch,
      policy: { server: new URL(issuer), trusted: new Set() },
      limits: { ...networkLimits, maxResponseBytes: 65_536, maxRedirects: 0 },
    }
  }

  /** Remembers a client that registered; of too many the oldest is forgotten. */
  register(client: DevClient): void {
    const [oldest] = this.#registered.keys()
    if (this.#registered.size >= this.#maxClients && oldest !== undefined) this.#registered.delete(oldest)
    this.#registered.set(client.clientId, client)
  }

  /** How many clients registered and are remembered. */
  get registered(): number {
    return this.#registered.size
  }

  /** The client of this name. */
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

  /** The client that asks for a token, which shows its secret if it has one. */
  authenticate(clientId: string, clientSecret: string | undefined): void {
    const known = this.#given(clientId)
    if (!known && !isDocument(clientId)) throw new OAuthError('invalid_client', 'No client has this "client_id"')
    if (known?.clientSecret !== clientSecret)
      throw new OAuthError('invalid_client', 'This is not the secret of the client')
  }

  #given(clientId: string): DevClient | undefined {
    return this.#known.get(clientId) ?? this.#registered.get(clientId)
  }
}

/** Whether a name is the URL of a document about its client. */
function isDocument(clientId: string): boolean {
  if (!URL.canParse(clientId)) return false
  const { href, protocol, hostname, pathname, username, hash } = new URL(clientId)
  const isSafe = protocol === 'https:' || (protocol === 'http:' && kindOfHost(hostname) === 'loopback')
  return isSafe && href === clientId && pathname !== '/' && username === '' && hash === ''
}

function describedClient(clientId: string, document: Readonly<Record<string, unknown>> | undefined): DevClient {
  const { client_id: named, client_name: name, redirect_uris: uris, client_secret: secret } = document ?? {}
  if (named !== clientId) throw new Error('The document about the client is that of another client, or none')
  if (secret !== undefined) throw new Error('The document about the client tells everybody its secret')
  if (typeof name !== 'string' || !Array.isArray(uris) || !uris.every((uri) => typeof uri === 'string')) {
    throw new Error('The document about the client lacks its name or its redirect URIs')
  }
  return { clientId, redirectUris: uris }
}

/** Whether a client may have the browser sent to an address. @see https://www.rfc-editor.org/rfc/rfc8252#section-7.3 */
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
