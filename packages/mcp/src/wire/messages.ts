/** JSON-RPC 2.0 messages as MCP uses them: named params, object results. */

/** What a request is answered by. `0` and `''` are ids like any other; `1` and `'1'` are two different ones. */
export type Id = string | number

/** A JSON object whose members nobody has looked at yet. */
export type Fields = { readonly [key: string]: unknown }

/** Asks the other side for something and waits for the answer. */
export interface Request {
  readonly jsonrpc: '2.0'
  readonly id: Id
  readonly method: string
  readonly params?: Fields
}

/** Tells the other side something; nobody answers. */
export interface Notification {
  readonly jsonrpc: '2.0'
  readonly method: string
  readonly params?: Fields
}

/** The answer to a request that succeeded. */
export interface Success {
  readonly jsonrpc: '2.0'
  readonly id: Id
  readonly result: Fields
}

/** The answer to a request that failed. */
export interface Failure {
  readonly jsonrpc: '2.0'
  /** Absent or null when the message that failed had no id that could be read. */
  readonly id?: Id | null
  readonly error: WireError
}

/** The `error` member of a response. */
export interface WireError {
  readonly code: number
  readonly message: string
  readonly data?: unknown
}

/** The answer to a request. */
export type Response = Success | Failure
/** All that two peers say to each other. */
export type Message = Request | Notification | Response

/** Whether a JSON value is an object, and neither an array nor null. */
export function isObject(value: unknown): value is Fields {
  return typeof value === 'object' && value !== null && !Array.isArray(value)
}

/** Whether a JSON value can be an id; a number beyond 2^53 cannot, because it would come back as another one. */
export function isId(value: unknown): value is Id {
  return typeof value === 'string' || Number.isSafeInteger(value)
}
