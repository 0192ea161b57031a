/** Limits to the needs of a schema and to the work of a check. */
export interface CompileOptions {
  /**
   * Lets regular expressions run on the native engine, which a hostile one can stall for ever. The other engine takes
   * linear time, and knows neither lookaround nor backreferences.
   * @default false
   */
  readonly trusted?: boolean
  /** Depth to which subschemas may be nested; references do not count. @default 32 */
  readonly maxDepth?: number
  /** @default 5_000 */
  readonly maxSubschemas?: number
  /** The characters of all regular expressions of a schema, plus the states the linear engine has for them. @default 50_000 */
  readonly maxPatternSize?: number
  /** The keywords applied, members listed and characters read for one value; some 50 ms of work. @default 400_000 */
  readonly maxSteps?: number
  /** Depth to which a check may go into a value and through references. @default 500 */
  readonly maxNesting?: number
  /** @default 20 */
  readonly maxProblems?: number
}

export type SchemaLimits = Required<CompileOptions>

export const defaults = {
  trusted: false,
  maxDepth: 32,
  maxSubschemas: 5_000,
  maxPatternSize: 50_000,
  maxSteps: 400_000,
  maxNesting: 500,
  maxProblems: 20,
} as const satisfies SchemaLimits
