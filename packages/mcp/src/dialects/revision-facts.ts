import type { ExtensionWords } from '../model/extension.ts'
import type { Method } from '../model/features.ts'
import type { Shape } from '../wire/shape.ts'
import type { Vocabulary } from '../wire/vocabulary.ts'
import type { HttpRules } from './http-rules.ts'

/** The facts of a revision as data; the handshake and the stateless dialect read them. */
export interface Facts {
  readonly vocabulary: Vocabulary
  /** The structured content that the revision allows: none, an object, or any JSON value. */
  readonly structured: 'none' | 'object' | 'any'
  /** Report of invalid tool arguments: a tool result, which a model sees, or an error. */
  readonly badArguments: 'result' | 'refusal'
  /** Encoding of choices in a form: `enumNames`, or titled alternatives. */
  readonly choices: 'enumNames' | 'titled'
  /** True if a sampling message may have several content blocks. */
  readonly manyContents: boolean
  /** URL elicitation of the revision: none, with an id, or without. */
  readonly visits: 'none' | 'identified' | 'anonymous'
  /** True if the revision has batches. */
  readonly batches: boolean
  /** The id of an error response to a request without a readable id. */
  readonly unreadableId: 'null' | 'omitted'
  readonly http: HttpRules
  /** The enabled extensions that this revision supports. @default none */
  readonly extensions?: readonly ExtensionWords[]
  /** The table of methods, extensions included. @default what holds for those of the protocol */
  readonly methods?: ReadonlyMap<string, Method>
  /** The results that extensions add, by `resultType`. @default none */
  readonly resultTypes?: ReadonlyMap<string, Shape>
}
