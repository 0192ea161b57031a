import type { CallOptions } from '../rpc/pending-call.ts'
import type { Fields } from '../wire/messages.ts'

/** One request to the server. */
export interface ClientRequest {
  readonly method: string
  readonly params: Fields
  readonly options: CallOptions & Pick<RequestOptions, 'fresh'>
}

/** Sends a request and resolves with its result; `client.use` wraps it. */
export type ClientHandler = (request: ClientRequest) => Promise<Fields>

/** Options of one call. */
export type RequestOptions = Pick<CallOptions, 'signal' | 'onProgress' | 'timeoutMs' | 'maxTotalMs' | 'context'> & {
  /** Sent as `_meta` of the request, for example trace context. */
  readonly meta?: Fields
  /** Asks the server, whatever is kept of an earlier answer. @default false */
  readonly fresh?: boolean
}
