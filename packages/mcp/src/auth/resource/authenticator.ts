/** Headers by name. */
export type AnswerHeaders = { readonly [name: string]: string }

/** A request as a gate sees it. */
export interface AuthRequest {
  readonly method: string
  readonly path: string
  /** The value of a header, by its lower-case name. */
  header(name: string): string | undefined
}

/** Somebody who may come in. */
export interface AuthenticatedCaller {
  /** Tells callers apart: who authorized the request, for whom, and to which client. */
  readonly principal: string
  readonly scopes: readonly string[]
  /** What the authorization server says about the caller. */
  readonly claims: { readonly [name: string]: unknown }
  /** When what was checked comes to an end, as in `Date.now()`, if it does. */
  readonly expiresAt: number | undefined
  /** What goes with the answer. */
  readonly headers: AnswerHeaders
  /** The answer when the caller needs these scopes for what it asks, and does not have them. */
  challengeFor(scopes: readonly string[]): AuthRefusal
}

/** The answer to a request that may not come in. */
export interface AuthRefusal {
  readonly status: number
  readonly message: string
  readonly headers: AnswerHeaders
}

/** Stands before an endpoint and decides who may come in. */
export interface Authenticator {
  /** What the server says about who can authorize requests to it, as JSON, by the path where everybody may read it. */
  readonly documents: ReadonlyMap<string, string>
  /** Rejects when it cannot be found out who is calling. */
  authenticate(request: AuthRequest): Promise<AuthenticatedCaller | AuthRefusal>
}
