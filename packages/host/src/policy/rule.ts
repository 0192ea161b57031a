import type { ToolClass } from '../act/act.ts'
import type { ServerName } from '../act/server-name.ts'
import type { ValuePattern } from './value-pattern.ts'

/** Effect of a rule on the acts that it matches. */
export type Effect = 'allow' | 'ask' | 'deny'

/** Place where a rule was written. */
export interface RuleSource {
  /** The layer of the configuration, such as `user` or `project`. */
  readonly layer: string
  readonly file: string
  /** Counted from 1. */
  readonly line: number
}

/** A rule as people write it: the pattern alone, or an object with members that a pattern cannot express. */
export type RuleText =
  | string
  | {
      /** `server:tool{argument condition, …}`. @default every act */
      readonly match?: string
      /** Only tools of these classes. */
      readonly class?: ToolClass | readonly ToolClass[]
      /** Only tools that declare one of these effects: `writes`, `network:*.example.com`; not in `allow`. */
      readonly effects?: string | readonly string[]
      /** Only acts of principals whose name matches. */
      readonly principal?: string
      /** `local`: the question is never answered by a caller, only at the doors of this machine. */
      readonly by?: 'local'
      /** A sentence for the caller that is refused. */
      readonly why?: string
      /** Time from which it holds no more, such as `2026-12-24T18:00:00Z`; only in `allow`. */
      readonly until?: string
    }

/** `==` compares all arguments at once. */
export type Comparison = '==' | '=' | '!=' | '<' | '<=' | '>' | '>=' | '~' | '!~'

/** One condition on an argument: `path~/tmp/**`, `size<=4096`, `method=GET|HEAD`. */
export interface Condition {
  /** The names that lead to the argument, outermost first. */
  readonly path: readonly string[]
  readonly comparison: Comparison
  /** Any of these will do; for `!=` and `!~`, none of them may fit. For `==`, all arguments as canonical JSON. */
  readonly values: readonly (string | number | boolean | null)[]
  /** The values that are patterns, paths or addresses, ready to be compared. */
  readonly patterns?: readonly ValuePattern[]
}

/** A rule, ready to be matched. */
export interface Rule {
  readonly effect: Effect
  readonly server: ServerName
  /** A tool's name, or `@` and the kind of another act. */
  readonly target: string
  readonly conditions: readonly Condition[]
  readonly classes: readonly ToolClass[]
  readonly effects: readonly string[]
  readonly principal: string
  readonly by: 'local' | undefined
  readonly why: string | undefined
  /** Time from which it holds no more, as in `Date.now()`. */
  readonly until?: number
  /** The rule as it was written, for people. */
  readonly text: string
  readonly source: RuleSource
}
