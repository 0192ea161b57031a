/** JSON-RPC 2.0 messages as MCP uses them: named params, object results. */

/** The id of a request. `0` and `''` are valid; `1` and `'1'` are different. */
export type Id = string | number

/** A JSON object with unchecked members. */
export type Fields = { readonly [key: string]: unknown }

/** A request. */
export interface RequestMessage {
  readonly jsonrpc: '2.0'
  readonly id: Id
  readonly method: string
  readonly params?: Fields
}

/** A notification, which has no response. */
export interface NotificationMessage {
  readonly jsonrpc: '2.0'
  readonly method: string
  readonly params?: Fields
}

/** A successful response. */
export interface SuccessMessage {
  readonly jsonrpc: '2.0'
  readonly id: Id
  readonly result: Fields
}

/** An error response. */
export interface FailureMessage {
  readonly jsonrpc: '2.0'
  /** Absent or null when the id of the request could not be read. */
  readonly id?: Id | null
  readonly error: WireError
}

/** The `error` member of a response. */
export interface WireError {
  readonly code: number
  readonly message: string
  readonly data?: unknown
}

/** A response. */
export type ResponseMessage = SuccessMessage | FailureMessage
/** A JSON-RPC message. */
export type Message = RequestMessage | NotificationMessage | ResponseMessage

/** True if a JSON value is an object, and neither an array nor null. */
export function isObject(value: unknown): value is Fields {
  return typeof value === 'object' && value !== null && !Array.isArray(value)
}

/** True if a JSON value is an id; numbers beyond 2^53 are not, because they would be changed. */
export function isId(value: unknown): value is Id {
  return typeof value === 'string' || Number.isSafeInteger(value)
}
