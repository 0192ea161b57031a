import type { Shape } from '../wire/shapes.ts'

/** A program and the shape it is spoken to in. */
export interface Offer {
  /** The path of the program below this folder, without the ending. */
  readonly program: string
  readonly shape: Shape
  /** Accept header of calls that need no stream. @default both kinds of answer, as the specification asks */
  readonly accept?: string
  /** True if it holds streams open: the session's own, or a listen request. @default false */
  readonly holdsStreams?: boolean
  /** True if it can report progress. @default false */
  readonly reportsProgress?: boolean
}

/** One library in the comparison: what it offers and how it is started. */
export interface Contestant {
  readonly name: string
  readonly http?: readonly Offer[]
  readonly stdio?: readonly Offer[]
  /** The program that calls its own server in one process. */
  readonly memory?: string
  /** The same with something enabled that its tools do not use, by what that is. */
  readonly memoryWith?: { readonly [what: string]: string }
  /** The program that calls the raw server with its client. */
  readonly client?: string
  /** Packages and entry that its users need to write a server. */
  readonly library?: { readonly packages: readonly string[]; readonly entry: string }
  /** The source of a server with this many tools, for the type checker. */
  readonly typedServer?: (tools: number) => string
}
