import { AuthError } from '../shared/auth-error.ts'
import type { Network } from '../shared/network.ts'
import type { AuthSettings } from './auth-options.ts'
import { CredentialRecords } from './credential-records.ts'
import { type Discovered, discover, withVersionHeader } from './discover.ts'
import { DpopKey } from './dpop-key.ts'
import type { Grant, GrantRequest, TokenNeed, TokenOrigin } from './grant.ts'
import { sanitizedText } from './oauth-requests.ts'
import { bindsTokens, scopesToRequest } from './scopes-to-request.ts'
import type { Tokens } from './tokens.ts'

/** Tokens, and how they were obtained. */
export interface ObtainedTokens {
  readonly tokens: Tokens
  readonly origin: TokenOrigin
}

/** The state of getting tokens. */
interface Situation {
  readonly need: TokenNeed
  readonly found: Discovered
  readonly kept: Tokens | undefined
  readonly signal: AbortSignal
}

/** Gets tokens for one server, by refreshing or by a new grant, and stores them. */
export class TokenSource {
  readonly server: URL
  readonly #grant: Grant
  readonly #settings: AuthSettings
  readonly #records: CredentialRecords
  readonly #network: Network

  constructor(server: URL, grant: Grant, settings: AuthSettings) {
    const { outboundFetch, limits, trusted, store, account } = settings
    this.server = server
    this.#grant = grant
    this.#settings = settings
    this.#records = new CredentialRecords(store, `${server.origin}${server.pathname}${server.search}`, account)
    this.#network = { fetch: outboundFetch, limits, policy: { server, trusted } }
  }

  /** The stored tokens, if there are any. */
  async remembered(): Promise<Tokens | undefined> {
    const issuer = await this.#lastIssuer()
    return issuer === undefined ? undefined : this.#records.tokens(issuer)
  }

  async forget(): Promise<void> {
    const issuer = await this.#lastIssuer()
    if (issuer !== undefined) await this.#records.dropTokens(issuer)
  }

  /** Gets tokens other than the refused ones, in one process at a time. */
  run(need: TokenNeed, signal: AbortSignal): Promise<ObtainedTokens | undefined> {
    return this.#records.alone(() => this.#run(need, signal), signal)
  }

  async #run(need: TokenNeed, signal: AbortSignal): Promise<ObtainedTokens | undefined> {
    const found = await this.#discover(need, signal)
    const { issuer } = found.authorizationServer
    const kept = await this.#records.tokens(issuer)
    if (kept && kept.accessToken !== need.refused) return { tokens: kept, origin: 'kept' }
    const obtained = await this.#obtain({ need, found, kept, signal })
    if (!obtained) return undefined
    // a refresh token works once, so the new one is stored before it is used
    await this.#records.keepTokens(issuer, obtained.tokens)
    await this.#records.keepIssuer(issuer)
    return obtained
  }

  async #discover({ demand, revision }: TokenNeed, signal: AbortSignal): Promise<Discovered> {
    const last = await this.#lastIssuer()
    const preferred = last === undefined ? [] : [last]
    const network = withVersionHeader(this.#network, revision)
    const options = { network, signal, named: demand?.resourceMetadata, preferred }
    const found = this.#withOwnResource(await discover(this.server, options))
    const { issuer } = found.authorizationServer
    const isFree = this.#settings.issuer === undefined && !this.#grant.isBound
    if (isFree || last === undefined || issuer === last) return found
    const problem = `the server names "${issuer}", and the credentials belong to "${last}"`
    throw new AuthError('issuer', `Cannot authorize: ${problem}`)
  }

  #withOwnResource(found: Discovered): Discovered {
    const { resource } = this.#settings
    return resource === undefined ? found : { ...found, resource: { ...found.resource, resource } }
  }

  async #obtain(situation: Situation): Promise<ObtainedTokens | undefined> {
    const { kept, need } = situation
    const { demand, isStepUp, justGot } = need
    if (justGot === 'new' && !isStepUp) throw notTaken(need)
    const request = await this.#request(situation)
    if (kept && !isStepUp && justGot !== 'renewed') {
      const tokens = await this.#grant.renew?.(kept, request)
      if (tokens) return { tokens, origin: 'renewed' }
      await this.#records.dropTokens(request.authorizationServer.issuer)
    }
    return demand && { tokens: await this.#grant.obtain(request), origin: 'new' }
  }

  async #request({ need, found, kept, signal }: Situation): Promise<GrantRequest> {
    const { limits, now, dpop, scopes: own } = this.#settings
    const isBound = dpop === 'auto' ? bindsTokens(found, need, kept) : dpop
    return {
      ...found,
      scopes: scopesToRequest({ found, need, kept, own }),
      proof: isBound ? await DpopKey.from(kept?.key) : undefined,
      network: this.#network,
      records: this.#records,
      limits,
      signal,
      now,
    }
  }

  async #lastIssuer(): Promise<string | undefined> {
    return this.#settings.issuer ?? (await this.#records.issuer())
  }
}

function notTaken({ demand, refused }: TokenNeed): AuthError {
  const why = sanitizedText(demand?.description, refused === undefined ? [] : [refused])
  const problem = 'the server rejects the token that was just issued for it'
  return new AuthError('limit', `Cannot authorize: ${problem}${why ? `, and says "${why}"` : ''}`)
}
