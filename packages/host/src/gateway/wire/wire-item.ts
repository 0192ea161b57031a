import type { ServerName } from '../../act/server-name.ts'
/** Side of the host: that of the caller, or that of the server. */
export type Hop = 'caller' | 'server'

/** One message of JSON-RPC that passed, without secrets. */
export interface WireMessage {
  readonly kind: 'message'
  /** Counted over everything that passed. */
  readonly number: number
  /** Time of the message, as in `Date.now()`. */
  readonly at: number
  readonly act: string
  readonly server: ServerName
  readonly hop: Hop
  /** Direction as seen from the host. */
  readonly direction: 'sent' | 'received'
  /** Connection of the message. */
  readonly connection: string
  readonly method: string | undefined
  readonly id: string | number | undefined
  readonly isError: boolean
  /** True if it answers questions of an earlier round. */
  readonly isLaterRound: boolean
  /** The message as JSON. */
  readonly text: string
}

/** One HTTP request and its response; the names of all headers, and the values of those that hold no secret. */
export interface WireHttp {
  readonly kind: 'http'
  readonly number: number
  /** Time when the request began, as in `Date.now()`. */
  readonly at: number
  readonly act: string
  readonly server: ServerName
  readonly hop: Hop
  readonly ms: number
  readonly method: string
  readonly url: string
  readonly status: number
  readonly requestHeaders: { readonly [name: string]: string }
  readonly responseHeaders: { readonly [name: string]: string }
}

/** Item of the wire log. */
export type WireItem = WireMessage | WireHttp

/** Bytes of an item beside its text. */
const itemBytes = 400

/** Memory of an item in bytes: texts take at most two bytes for each character. */
export function bytesOf(item: WireItem): number {
  if (item.kind === 'message') return itemBytes + item.text.length * 2
  return itemBytes + (JSON.stringify([item.requestHeaders, item.responseHeaders]).length + item.url.length) * 2
}
