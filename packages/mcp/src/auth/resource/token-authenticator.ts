import { covers, type Scopes, scopesOf, union } from '../shared/scopes.ts'
import type { AnswerHeaders, Gate, Guest, TurnedAway, Visitor } from './authenticator.ts'
import { type Challenge, challengeAnswer } from './challenge.ts'
import { boundKeyOf, type Claims, checkAudience, grantedScopes, principalOf, withImplied } from './claims.ts'
import { type Credentials, credentialsOf } from './credentials.ts'
import type { Proofs } from './dpop/proofs.ts'
import type { Verify } from './jwt.ts'
import type { Resources } from './resources.ts'
import { TokenProblem } from './token-problem.ts'

export interface ResourceGateParts {
  readonly issuer: string
  readonly resources: Resources
  readonly documents: Gate['documents']
  /** Takes tokens that are meant for any part of this server. */
  readonly verify: Verify
  /** What a token has to be meant for at a path: the clients of one part must not be let into another. */
  audiencesAt(path: string): readonly string[]
  readonly proofs: Proofs
  /** Whether tokens that anybody could use are refused. */
  readonly requiresProof: boolean
  /** What every request needs. */
  readonly scopes: Scopes
  readonly implied: { readonly [scope: string]: Scopes }
}

/** Admits by token, and tells whom it turns away where to get one. */
export class ResourceGate implements Gate {
  readonly #parts: ResourceGateParts

  constructor(parts: ResourceGateParts) {
    this.#parts = parts
  }

  get documents(): Gate['documents'] {
    return this.#parts.documents
  }

  async admit(visitor: Visitor): Promise<Guest | TurnedAway> {
    let credentials: Credentials | undefined
    try {
      credentials = credentialsOf(visitor)
      if (credentials) return await this.#admit(credentials, visitor)
      return this.#challenge(visitor, { message: 'This server wants to see a token' })
    } catch (problem) {
      if (!(problem instanceof TokenProblem)) throw new Error('Cannot check a token', { cause: problem })
      const { error, message } = problem
      const nonce = await this.#parts.proofs.nonce()
      return this.#challenge(visitor, { scheme: credentials?.scheme, error, message, nonce })
    }
  }

  async #admit(credentials: Credentials, visitor: Visitor): Promise<Guest> {
    const { verify, audiencesAt, issuer, implied, scopes: needed } = this.#parts
    const { scheme } = credentials
    const claims = await verify(credentials.token)
    checkAudience(claims, audiencesAt(visitor.path))
    const headers = await this.#checkHolder(claims, credentials, visitor)
    const scopes = withImplied(grantedScopes(claims), implied)
    if (!covers(scopes, needed)) throw new TokenProblem('insufficient_scope', lacking)
    return {
      principal: principalOf(claims, issuer),
      scopes,
      claims,
      expiresAt: typeof claims.exp === 'number' ? claims.exp * 1_000 : undefined,
      headers,
      demand: (more) => this.#challenge(visitor, { scheme, error: 'insufficient_scope', message: lacking, more }),
    }
  }

  /** Checks that a token comes from the one it was issued to, as far as it tells who that is. */
  async #checkHolder(claims: Claims, { scheme, token }: Credentials, visitor: Visitor): Promise<AnswerHeaders> {
    const { proofs, requiresProof, resources } = this.#parts
    if (scheme === 'bearer') {
      if (!requiresProof && claims.cnf === undefined) return {}
      throw new TokenProblem('invalid_token', 'The token has to be used together with a proof')
    }
    const key = boundKeyOf(claims)
    if (key === undefined) throw new TokenProblem('invalid_token', 'The token is not bound to a key')
    const { method, path } = visitor
    const { id, origin } = resources.at(path)
    const urls = [new URL(id).href, `${origin}${path}`]
    const nonce = await proofs.check(visitor.header('dpop'), { method, urls, token, key })
    return nonce === undefined ? {} : { 'dpop-nonce': nonce }
  }

  #challenge({ path }: Visitor, { scheme = 'bearer', more = [], ...rest }: Demanded): TurnedAway {
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

type Demanded = Pick<Challenge, 'error' | 'message' | 'nonce'> & {
  readonly scheme?: Challenge['scheme'] | undefined
  /** The scopes beside those that every request needs. */
  readonly more?: Scopes
}
