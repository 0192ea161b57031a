/** Headers by name. */
export type AnswerHeaders = { readonly [name: string]: string }

/** The part of a request that an authenticator sees. */
export interface AuthRequest {
  readonly method: string
  readonly path: string
  /** The value of a header, by its lower-case name. */
  header(name: string): string | undefined
}

/** A caller that was authenticated. */
export interface AuthenticatedCaller {
  /** Identifies the caller: issuer, subject and client. */
  readonly principal: string
  readonly scopes: readonly string[]
  /** The claims of the token. */
  readonly claims: { readonly [name: string]: unknown }
  /** Expiry of the authorization, as in `Date.now()`. */
  readonly expiresAt: number | undefined
  /** Headers for the response. */
  readonly headers: AnswerHeaders
  /** The response when the caller lacks these scopes. */
  challengeFor(scopes: readonly string[]): AuthRefusal
}

/** The response to a request that is refused. */
export interface AuthRefusal {
  readonly status: number
  readonly message: string
  readonly headers: AnswerHeaders
}

/** Finding of an authenticator. */
export type Authentication = AuthenticatedCaller | AuthRefusal

/** Authenticates the requests to an endpoint. */
export interface Authenticator {
  /** The protected resource metadata as JSON, by the public path where it is served. */
  readonly documents: ReadonlyMap<string, string>
  /** Throws or rejects when the token could not be checked. Without a promise, the request is served without delay. */
  authenticate(request: AuthRequest): Authentication | Promise<Authentication>
}
