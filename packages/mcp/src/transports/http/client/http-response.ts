/** The part of a response that the client uses; every `Response` is one. */
export interface HttpResponse {
  readonly status: number
  readonly statusText: string
  readonly ok: boolean
  /** `opaqueredirect` for a redirect that the runtime hides. */
  readonly type: string
  readonly headers: ResponseHeaders
  readonly body: { getReader(): BodyReader } | null
}

/** The headers of a response; names are case-insensitive. */
export interface ResponseHeaders {
  get(name: string): string | null
}

/** Reads a body piece by piece. */
export interface BodyReader {
  read(): Promise<{ readonly done: boolean; readonly value?: Uint8Array | undefined }>
  /** Discards the rest. */
  cancel(): Promise<void>
}
