import { AuthError } from '../shared/auth-error.ts'
import type { Network } from '../shared/network.ts'
import { type Discovered, discover } from './discover.ts'
import type { Grant, Need } from './grant.ts'
import { presentable } from './oauth.ts'
import type { AuthSettings } from './options.ts'
import { ProofKey } from './proof-key.ts'
import { Records } from './records.ts'
import { bindsTokens, scopesToAskFor } from './scopes-to-request.ts'
import type { Occasion, TokenOrigin } from './token-need.ts'
import type { Tokens } from './tokens.ts'
import { withVersionHeader } from './version-header.ts'

/** Tokens, and how they were got. */
export interface Gain {
  readonly tokens: Tokens
  readonly origin: TokenOrigin
}

/** What is known at one point of getting tokens. */
interface Situation {
  readonly occasion: Occasion
  readonly found: Discovered
  readonly kept: Tokens | undefined
  readonly signal: AbortSignal
}

/** Gets tokens for one server and remembers them. */
export class Renewal {
  readonly server: URL
  readonly #grant: Grant
  readonly #settings: AuthSettings
  readonly #records: Records
  readonly #network: Network

  constructor(server: URL, grant: Grant, settings: AuthSettings) {
    const { carry, limits, trusted, store, account } = settings
    this.server = server
    this.#grant = grant
    this.#settings = settings
    this.#records = new Records(store, `${server.origin}${server.pathname}${server.search}`, account)
    this.#network = { fetch: carry, limits, policy: { server, trusted } }
  }

  /** The tokens that were got before, if there are any. */
  async remembered(): Promise<Tokens | undefined> {
    const issuer = await this.#lastIssuer()
    return issuer === undefined ? undefined : this.#records.tokens(issuer)
  }

  async forget(): Promise<void> {
    const issuer = await this.#lastIssuer()
    if (issuer !== undefined) await this.#records.dropTokens(issuer)
  }

  /** Gets tokens other than those refused, in one process at a time. */
  run(occasion: Occasion, signal: AbortSignal): Promise<Gain | undefined> {
    return this.#records.alone(() => this.#run(occasion, signal), signal)
  }

  async #run(occasion: Occasion, signal: AbortSignal): Promise<Gain | undefined> {
    const found = await this.#discover(occasion, signal)
    const { issuer } = found.authorizationServer
    const kept = await this.#records.tokens(issuer)
    if (kept && kept.accessToken !== occasion.refused) return { tokens: kept, origin: 'kept' }
    const gain = await this.#gain({ occasion, found, kept, signal })
    if (!gain) return undefined
    // what a server gives only once must not be lost by a crash, so it is kept before it is used
    await this.#records.keepTokens(issuer, gain.tokens)
    await this.#records.keepIssuer(issuer)
    return gain
  }

  async #discover({ demand, revision }: Occasion, signal: AbortSignal): Promise<Discovered> {
    const last = await this.#lastIssuer()
    const preferred = last === undefined ? [] : [last]
    const network = withVersionHeader(this.#network, revision)
    const options = { network, signal, named: demand?.resourceMetadata, preferred }
    const found = await discover(this.server, options)
    const { issuer } = found.authorizationServer
    const isFree = this.#settings.issuer === undefined && !this.#grant.isBound
    if (isFree || last === undefined || issuer === last) return found
    const problem = `the server names "${issuer}", and the credentials belong to "${last}"`
    throw new AuthError('issuer', `Cannot authorize: ${problem}`)
  }

  async #gain(situation: Situation): Promise<Gain | undefined> {
    const { kept, occasion } = situation
    const { demand, isStepUp, justGot } = occasion
    if (justGot === 'new' && !isStepUp) throw notTaken(occasion)
    const need = await this.#need(situation)
    if (kept && !isStepUp && justGot !== 'renewed') {
      const tokens = await this.#grant.renew?.(kept, need)
      if (tokens) return { tokens, origin: 'renewed' }
      await this.#records.dropTokens(need.authorizationServer.issuer)
    }
    return demand && { tokens: await this.#grant.obtain(need), origin: 'new' }
  }

  async #need({ occasion, found, kept, signal }: Situation): Promise<Need> {
    const { limits, now, dpop, scopes: own } = this.#settings
    const isBound = dpop === 'auto' ? bindsTokens(found, occasion, kept) : dpop
    return {
      ...found,
      scopes: scopesToAskFor({ found, occasion, kept, own }),
      proof: isBound ? await ProofKey.from(kept?.key) : undefined,
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

function notTaken({ demand, refused }: Occasion): AuthError {
  const why = presentable(demand?.description, refused === undefined ? [] : [refused])
  const problem = 'the server does not take the token that was just got for it'
  return new AuthError('limit', `Cannot authorize: ${problem}${why ? `, and says "${why}"` : ''}`)
}
