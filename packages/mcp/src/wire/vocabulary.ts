import type { Shape } from './shape.ts'

/** The messages of one revision; a method that is not here does not exist in it. */
export interface Vocabulary {
  readonly revision: string
  /** Messages that a client may send. */
  readonly client: VocabularySide
  /** Messages that a server may send. */
  readonly server: VocabularySide
  /** The input requests of a server, sent as requests or inside results. */
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
