import type { AuthHeaders, Authorizer, Refusal } from '../../rpc/authorizer.ts'
import { McpError } from '../../wire/errors.ts'
import { AuthError } from '../shared/auth-error.ts'
import { type Demand, demandOf } from '../shared/parse-challenge.ts'
import type { AuthSettings } from './auth-options.ts'
import { DpopKey } from './dpop-key.ts'
import type { Grant, TokenNeed, TokenOrigin } from './grant.ts'
import { SingleFlight } from './single-flight.ts'
import { TokenSource } from './token-source.ts'
import type { Tokens } from './tokens.ts'

/** The request to authorize. */
type Request = Parameters<Authorizer['authorize']>[0]

/** Adds tokens to requests; gets and refreshes them when needed. Works for the server that it is first used for. */
export class TokenAuthorizer implements Authorizer {
  readonly #grant: Grant
  readonly #settings: AuthSettings
  #source: TokenSource | undefined
  /** The last address that was found to be of that server; most requests have the same. */
  #known: string | undefined
  #loading: Promise<void> | undefined
  #tokens: Tokens | undefined
  #origin: TokenOrigin = 'kept'
  #proof: DpopKey | undefined
  #flight: SingleFlight<Tokens | undefined> | undefined
  #rest: { readonly until: number; readonly error: unknown } | undefined

  /** @internal */
  constructor(grant: Grant, settings: AuthSettings) {
    this.#grant = grant
    this.#settings = settings
  }

  async authorize(request: Request, signal?: AbortSignal): Promise<AuthHeaders> {
    const source = this.#sourceFor(request.url)
    await this.#load(source)
    const before = this.#tokens
    const tokens = before && this.#isDue(before) ? await this.#refreshed(source, before, signal) : before
    return tokens ? this.#headers(tokens, request) : {}
  }

  async challenged(refusal: Refusal, signal?: AbortSignal): Promise<boolean> {
    const demand = demandOf(refusal.header('www-authenticate'))
    const isStepUp = refusal.status === 403 && demand.error === 'insufficient_scope'
    if (refusal.status !== 401 && !isStepUp) return false
    const { maxAttempts } = this.#settings.limits
    if (refusal.attempt >= maxAttempts) {
      throw this.#rested(new AuthError('limit', `Cannot authorize: the server refused ${maxAttempts} times in a row`))
    }
    if (this.#isNonceWanted(refusal, demand)) return true
    const justGot = refusal.attempt > 0 ? this.#origin : undefined
    const { sent, revision } = refusal
    const need = { refused: tokenIn(sent), justGot, demand, revision, isStepUp }
    await this.#replace(this.#sourceFor(refusal.url), need, signal)
    return true
  }

  /** Deletes the tokens from memory and from the store. */
  async forget(): Promise<void> {
    this.#tokens = undefined
    this.#rest = undefined
    await this.#source?.forget()
  }

  /** One server only, because a token must not be sent to another one. */
  #sourceFor(url: string): TokenSource {
    if (this.#source && url === this.#known) return this.#source
    const server = new URL(url)
    this.#source ??= new TokenSource(server, this.#grant, this.#settings)
    const { origin } = this.#source.server
    if (server.origin === origin) {
      this.#known = url
      return this.#source
    }
    const problem = `this one authorizes requests to "${origin}"; make one for each server`
    throw new McpError('Misuse', `Cannot authorize a request to "${server.origin}": ${problem}`, { outcome: 'NotSent' })
  }

  #load(source: TokenSource): Promise<void> {
    this.#loading ??= source.remembered().then(
      (tokens) => this.#use(tokens),
      (error: unknown) => {
        this.#loading = undefined
        throw error
      },
    )
    return this.#loading
  }

  async #use(tokens: Tokens | undefined, origin: TokenOrigin = 'kept'): Promise<void> {
    // the same key keeps the nonce that the server gave it
    if (tokens?.key?.x !== this.#proof?.jwk.x) this.#proof = tokens?.key && (await DpopKey.from(tokens.key))
    this.#tokens = tokens
    this.#origin = origin
  }

  /** True if tokens have to be refreshed before they are used. */
  #isDue({ expiresAt, refreshToken, lastsMs = 0 }: Tokens): boolean {
    const { now, refreshAheadMs } = this.#settings
    const canRenew = this.#grant.renew !== undefined && refreshToken !== undefined
    return canRenew && expiresAt !== undefined && expiresAt - Math.min(refreshAheadMs, lastsMs / 4) <= now()
  }

  async #refreshed(source: TokenSource, before: Tokens, signal: AbortSignal | undefined): Promise<Tokens | undefined> {
    try {
      return await this.#replace(source, expiryOf(before), signal)
    } catch (error) {
      signal?.throwIfAborted()
      // refreshed ahead of time, and still good
      if ((before.expiresAt ?? 0) > this.#settings.now()) return before
      throw error
    }
  }

  #isNonceWanted({ header }: Refusal, { error }: Demand): boolean {
    const nonce = header('dpop-nonce')
    this.#proof?.expect(nonce)
    return this.#proof !== undefined && error === 'use_dpop_nonce' && nonce !== null
  }

  async #headers({ accessToken }: Tokens, request: Request): Promise<AuthHeaders> {
    if (!this.#proof) return { authorization: `Bearer ${accessToken}` }
    return { authorization: `DPoP ${accessToken}`, dpop: await this.#proof.prove(request, accessToken) }
  }

  /** Gets tokens other than the refused ones, once for all requests that wait for them. */
  async #replace(source: TokenSource, need: TokenNeed, signal?: AbortSignal): Promise<Tokens | undefined> {
    for (;;) {
      if (this.#tokens && this.#tokens.accessToken !== need.refused) return this.#tokens
      if (!this.#flight || this.#flight.isAbandoned) this.#flight = this.#start(source, need)
      const tokens = await this.#flight.join(signal)
      if (tokens || !need.demand) return tokens
    }
  }

  #start(source: TokenSource, need: TokenNeed): SingleFlight<Tokens | undefined> {
    if (this.#rest && this.#rest.until > this.#settings.now()) throw this.#rest.error
    const flight = new SingleFlight(async (signal) => {
      try {
        const obtained = await source.run(need, signal)
        await this.#use(obtained?.tokens, obtained?.origin)
        return obtained?.tokens
      } catch (error) {
        throw signal.aborted ? error : this.#rested(error)
      } finally {
        if (this.#flight === flight) this.#flight = undefined
      }
    })
    return flight
  }

  /** Remembers a failure for a random time, so that it is not repeated at once. */
  #rested<Problem>(error: Problem): Problem {
    const { now, limits } = this.#settings
    this.#rest = { until: now() + limits.maxPauseMs * (0.5 + Math.random() / 2), error }
    return error
  }
}

function expiryOf({ accessToken }: Tokens): TokenNeed {
  return { refused: accessToken, justGot: undefined, demand: undefined, revision: undefined, isStepUp: false }
}

function tokenIn({ authorization }: AuthHeaders): string | undefined {
  return authorization?.split(' ')[1]
}
