import type { AnySchema } from '../schema/adapter.ts'
import type { Shape } from '../wire/shape.ts'
import type { Method } from './features.ts'

/** A method of an extension, with the shapes of its params and result. */
export interface ExtensionMethod extends Omit<Method, 'needs'> {
  /** Its params, in addition to the members of every request. @default anything */
  readonly params?: AnySchema | Shape
  /** Its result, in addition to the members of every result. @default anything */
  readonly result?: AnySchema | Shape
}

/**
 * The methods, notifications and results that an extension adds, the same on both sides. Extensions are disabled by
 * default. @see https://modelcontextprotocol.io/seps/2133-extensions
 */
export interface ExtensionWords {
  /** Its id among the capabilities: a reversed domain name, a slash, a name. */
  readonly id: string
  /** The requests of the client, by method. */
  readonly methods?: { readonly [method: string]: ExtensionMethod }
  /** The notifications of the server, by method. */
  readonly notifications?: { readonly [method: string]: AnySchema | Shape }
  /** The results that it adds, by `resultType`. */
  readonly resultTypes?: { readonly [resultType: string]: AnySchema | Shape }
  /** True if it is also used in handshake revisions, which have no extensions of their own. @default false */
  readonly handshake?: boolean
}
