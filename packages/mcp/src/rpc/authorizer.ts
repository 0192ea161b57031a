/** Headers by name. */
export type AuthHeaders = { readonly [name: string]: string }

/** A response by which a server refuses a request because of who sends it. */
export interface Refusal {
  readonly status: number
  readonly url: string
  /** What {@link Authorizer.authorize} gave for the request. */
  readonly sent: AuthHeaders
  /** How often this request was refused before. */
  readonly attempt: number
  /** The revision that the request speaks or offers, as far as that is known. */
  readonly revision?: string | undefined
  header(name: string): string | null
}

/** Gives requests what a server wants to see of them, and gets it first where that is necessary. */
export interface Authorizer {
  /** Headers for one request, such as `Authorization`. */
  authorize(request: { readonly method: string; readonly url: string }, signal?: AbortSignal): Promise<AuthHeaders>
  /** The server refused; true when it is worth asking again with new headers. */
  challenged(refusal: Refusal, signal?: AbortSignal): Promise<boolean>
}
