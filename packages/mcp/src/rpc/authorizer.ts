/** Headers by name. */
export type AuthHeaders = { readonly [name: string]: string }

/** A response that refuses a request for lack of authorization. */
export interface Refusal {
  readonly status: number
  readonly url: string
  /** The headers that {@link Authorizer.authorize} returned for the request. */
  readonly sent: AuthHeaders
  /** Number of times that this request was refused before. */
  readonly attempt: number
  /** The revision of the request, if it is known. */
  readonly revision?: string | undefined
  header(name: string): string | null
}

/** Adds authorization headers to requests, and gets tokens when necessary. */
export interface Authorizer {
  /** Headers for one request, such as `Authorization`. */
  authorize(request: { readonly method: string; readonly url: string }, signal?: AbortSignal): Promise<AuthHeaders>
  /** Called when the server refused; resolves with true when the request should be repeated with new headers. */
  challenged(refusal: Refusal, signal?: AbortSignal): Promise<boolean>
}
