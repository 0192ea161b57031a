import type { AnySchema } from '../schema/adapter.ts'
import type { Shape } from '../wire/shape.ts'
import type { Method } from './methods.ts'

/** A request that an extension brings: what is known of any method, and the shape of its params and result. */
export interface ExtensionMethod extends Omit<Method, 'needs'> {
  /** Its params, beside what every request carries. @default anything */
  readonly params?: AnySchema | Shape
  /** Its result, beside what every result carries. @default anything */
  readonly result?: AnySchema | Shape
}

/**
 * The words that an extension adds to the protocol, the same on both sides. It is off unless a side switches it on.
 * @see https://modelcontextprotocol.io/seps/2133-extensions
 */
export interface ExtensionWords {
  /** What it is called among the capabilities: a reversed domain name, a slash, a name. */
  readonly id: string
  /** The requests that a client may make, by method. */
  readonly methods?: { readonly [method: string]: ExtensionMethod }
  /** What a server may tell, by method. */
  readonly notifications?: { readonly [method: string]: AnySchema | Shape }
  /** The kinds of result that a request may have beside a complete one, by `resultType`. */
  readonly resultTypes?: { readonly [resultType: string]: AnySchema | Shape }
  /** Whether it is spoken as well in revisions that open with a handshake, which know nothing of extensions. @default false */
  readonly handshake?: boolean
}
