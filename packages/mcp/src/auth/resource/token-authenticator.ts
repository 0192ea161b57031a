import { covers, type Scopes, scopesOf, union } from '../shared/scopes.ts'
import type { AnswerHeaders, AuthenticatedCaller, Authenticator, AuthRefusal, AuthRequest } from './authenticator.ts'
import { boundKeyOf, type Claims, checkAudience, grantedScopes, principalOf, withImplied } from './claims.ts'
import type { Proofs } from './dpop/proofs.ts'
import type { Verify } from './jwt.ts'
import type { ProtectedResources } from './protected-resources.ts'
import { type RequestCredentials, requestCredentials } from './request-credentials.ts'
import { TokenProblem } from './token-problem.ts'
import { type ChallengeParts, challengeAnswer } from './write-challenge.ts'

export interface TokenAuthenticatorParts {
  readonly issuer: string
  readonly resources: ProtectedResources
  readonly documents: Authenticator['documents']
  /** Accepts tokens for any resource of this server. */
  readonly verify: Verify
  /** The audiences that are accepted at a path: a token for one resource must not open another. */
  audiencesAt(path: string): readonly string[]
  readonly proofs: Proofs
  /** True if bearer tokens are refused. */
  readonly requiresProof: boolean
  /** The scopes that every request needs. */
  readonly scopes: Scopes
  readonly implied: { readonly [scope: string]: Scopes }
}

/** Authenticates requests by access token; refuses others with a challenge. */
export class TokenAuthenticator implements Authenticator {
  readonly #parts: TokenAuthenticatorParts

  constructor(parts: TokenAuthenticatorParts) {
    this.#parts = parts
  }

  get documents(): Authenticator['documents'] {
    return this.#parts.documents
  }

  async authenticate(request: AuthRequest): Promise<AuthenticatedCaller | AuthRefusal> {
    let credentials: RequestCredentials | undefined
    try {
      credentials = requestCredentials(request)
      if (credentials) return await this.#verified(credentials, request)
      return this.#challenge(request, { message: 'This server requires a token' })
    } catch (problem) {
      if (!(problem instanceof TokenProblem)) throw new Error('Cannot check a token', { cause: problem })
      const { error, message } = problem
      const nonce = await this.#parts.proofs.nonce()
      return this.#challenge(request, { scheme: credentials?.scheme, error, message, nonce })
    }
  }

  async #verified(credentials: RequestCredentials, request: AuthRequest): Promise<AuthenticatedCaller> {
    const { verify, audiencesAt, issuer, implied, scopes: needed } = this.#parts
    const { scheme } = credentials
    const claims = await verify(credentials.token)
    checkAudience(claims, audiencesAt(request.path))
    const headers = await this.#checkHolder(claims, credentials, request)
    const scopes = withImplied(grantedScopes(claims), implied)
    if (!covers(scopes, needed)) throw new TokenProblem('insufficient_scope', lacking)
    return {
      principal: principalOf(claims, issuer),
      scopes,
      claims,
      expiresAt: typeof claims.exp === 'number' ? claims.exp * 1_000 : undefined,
      headers,
      challengeFor: (more) => this.#challenge(request, { scheme, error: 'insufficient_scope', message: lacking, more }),
    }
  }

  /** Checks the DPoP proof of a token that is bound to a key. */
  async #checkHolder(
    claims: Claims,
    { scheme, token }: RequestCredentials,
    request: AuthRequest,
  ): Promise<AnswerHeaders> {
    const { proofs, requiresProof, resources } = this.#parts
    if (scheme === 'bearer') {
      if (!requiresProof && claims.cnf === undefined) return {}
      throw new TokenProblem('invalid_token', 'The token requires a DPoP proof')
    }
    const key = boundKeyOf(claims)
    if (key === undefined) throw new TokenProblem('invalid_token', 'The token is not bound to a key')
    const { method, path } = request
    const { id, origin } = resources.at(path)
    const urls = [new URL(id).href, `${origin}${path}`]
    const nonce = await proofs.check(request.header('dpop'), { method, urls, token, key })
    return nonce === undefined ? {} : { 'dpop-nonce': nonce }
  }

  #challenge({ path }: AuthRequest, { scheme = 'bearer', more = [], ...rest }: Demanded): AuthRefusal {
    const { requiresProof, scopes, proofs, resources } = this.#parts
    return challengeAnswer({
      ...rest,
      scheme: requiresProof ? 'dpop' : scheme,
      scopes: scopesOf(union(scopes, more).join(' ')),
      metadataUrl: resources.at(path).metadataUrl,
      proofAlgorithms: proofs.algorithms,
    })
  }
}

const lacking = 'The token lacks a scope'

type Demanded = Pick<ChallengeParts, 'error' | 'message' | 'nonce'> & {
  readonly scheme?: ChallengeParts['scheme'] | undefined
  /** Scopes in addition to those that every request needs. */
  readonly more?: Scopes
}
