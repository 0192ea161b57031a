import type { Fields } from '../../wire/messages.ts'
import type { Matcher } from './pattern/patterns.ts'
import type { Check } from './validation-run.ts'

/** Place of a keyword while the schema around it is compiled. */
export interface Site {
  readonly schema: Fields
  /** Compiles a subschema. */
  subschema(schema: unknown): Check
  /** Compiles a regular expression. */
  pattern(source: string): Matcher
  /** The check of the schema a reference means, which may depend on the way to it when the reference is dynamic. */
  reference(reference: string, kind: 'static' | 'dynamic'): Check
}

/** Compiles one keyword, or a few that only make sense together; no check when they assert nothing. */
export type Keyword = (site: Site) => Check | undefined

/** One edition of the JSON Schema language. */
export interface SchemaDraft {
  /** Keywords that assert something about a value, under every name that calls for them. */
  readonly keywords: ReadonlyMap<string, Keyword>
  /** The same for what all those leave over. */
  readonly leftovers: ReadonlyMap<string, Keyword>
  /** Keywords whose value is a subschema or a list of them. */
  readonly holders: ReadonlySet<string>
  /** Keywords whose value has subschemas as members. */
  readonly namedHolders: ReadonlySet<string>
  /** True if the neighbours of `$ref` mean nothing. */
  readonly refStandsAlone: boolean
  /** The address a schema gives itself. */
  idOf(schema: Fields): string | undefined
  /** The plain name a schema gives itself. */
  anchorOf(schema: Fields): string | undefined
  /** The name under which dynamic references may mean a schema; `''` where they only ever mean a root. */
  dynamicAnchorOf(schema: Fields): string | undefined
}
