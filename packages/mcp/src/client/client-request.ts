import type { CallOptions } from '../rpc/pending-call.ts'
import type { Fields } from '../wire/messages.ts'

/** One request on its way to the server. */
export interface ClientRequest {
  readonly method: string
  readonly params: Fields
  readonly options: CallOptions & Pick<RequestOptions, 'fresh'>
}

/** Makes a request and resolves with its result; what `use` of a client is put around. */
export type ClientHandler = (request: ClientRequest) => Promise<Fields>

/** What one call may be given. */
export type RequestOptions = Pick<CallOptions, 'signal' | 'onProgress' | 'timeoutMs' | 'maxTotalMs' | 'context'> & {
  /** Travels with the request; trace context goes here. */
  readonly meta?: Fields
  /** Asks the server, whatever is kept of an earlier answer. @default false */
  readonly fresh?: boolean
}
