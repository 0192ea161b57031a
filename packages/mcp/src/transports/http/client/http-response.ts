/** What the client looks at of a response; every `Response` of a runtime's own `fetch` is one. */
export interface HttpResponse {
  readonly status: number
  readonly statusText: string
  readonly ok: boolean
  /** Tells a redirect that the runtime hides. */
  readonly type: string
  readonly headers: ResponseHeaders
  readonly body: { getReader(): BodyReader } | null
}

/** The headers of an answer, by name in any case. */
export interface ResponseHeaders {
  get(name: string): string | null
}

/** Reads a body piece by piece. */
export interface BodyReader {
  read(): Promise<{ readonly done: boolean; readonly value?: Uint8Array | undefined }>
  /** Lets go of the rest. */
  cancel(): Promise<void>
}
