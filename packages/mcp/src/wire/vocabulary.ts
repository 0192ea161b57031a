import type { Shape } from './shape.ts'

/** Everything one revision may put on the wire; a method that is not here does not exist in it. */
export interface Vocabulary {
  readonly revision: string
  /** What a client may send. */
  readonly client: VocabularySide
  /** What a server may send. */
  readonly server: VocabularySide
  /** What a server may ask while it serves a request, as a request of its own or inside its result. */
  readonly inputs: ReadonlyMap<string, MethodShape>
  /** The named types, as far as the revision has them. */
  readonly types: { readonly [name: string]: Shape }
}

/** The methods of one side. */
export interface VocabularySide {
  readonly requests: ReadonlyMap<string, MethodShape>
  /** The shape of the params of each notification. */
  readonly notifications: ReadonlyMap<string, Shape>
}

/** A request and its answer; params that may be left out fit `undefined`. */
export interface MethodShape {
  readonly params: Shape
  readonly result: Shape
}
