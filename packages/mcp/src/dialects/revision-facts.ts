import type { ExtensionWords } from '../model/extension.ts'
import type { Method } from '../model/methods.ts'
import type { Shape } from '../wire/shape.ts'
import type { Vocabulary } from '../wire/vocabulary.ts'
import type { HttpRules } from './http-rules.ts'

/** What a revision is, apart from its words: plain facts that the two conversation shapes read. */
export interface Facts {
  readonly vocabulary: Vocabulary
  /** What a tool may return beside content: nothing, an object, or any JSON value. */
  readonly structured: 'none' | 'object' | 'any'
  /** Whether bad arguments for a tool are its result, so that a model sees them, or a refused request. */
  readonly badArguments: 'result' | 'refusal'
  /** How a choice is written in a form: bare values with a list of names, or titled alternatives. */
  readonly choices: 'enumNames' | 'titled'
  /** Whether a message of a sampling request may hold several pieces of content. */
  readonly manyContents: boolean
  /** Whether the user can be sent to a page, and whether that visit has an id of its own. */
  readonly visits: 'none' | 'identified' | 'anonymous'
  /** Whether several messages may travel as one array. */
  readonly batches: boolean
  /** How a failure is sent whose request had no readable id. */
  readonly unreadableId: 'null' | 'omitted'
  readonly http: HttpRules
  /** The extensions that are switched on and spoken in this revision. @default none */
  readonly extensions?: readonly ExtensionWords[]
  /** What holds for each method, those of extensions included. @default what holds for those of the protocol */
  readonly methods?: ReadonlyMap<string, Method>
  /** The kinds of result that extensions bring, by `resultType`. @default none */
  readonly resultTypes?: ReadonlyMap<string, Shape>
}
