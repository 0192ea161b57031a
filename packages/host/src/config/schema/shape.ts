import { isTable, type Path, type Table, type Value } from '../document/document.ts'
import type { SettingRule } from './setting-rule.ts'

/** Something in a value that does not fit. */
export interface Misfit {
  readonly at: Path
  readonly problem: string
  /** The correct way to write it. */
  readonly fix: string
  /** Set for an unknown key, which is left out; the table that it stands in is used without it. */
  readonly harmless?: boolean
}

/** Reports a value that does not fit its schema. */
export type ReportMisfit = (misfit: Misfit) => void

/** Values that a setting takes; one description serves to check them, to type them and for editors. */
export interface SettingShape<T> {
  /** Reports everything in a value that does not fit. */
  check(value: Value, at: Path, report: ReportMisfit): void
  /** The same as JSON Schema. */
  readonly schema: Table
  /** The member that a key of a table names; missing for a single value and for a list. */
  inside?(key: string | number): Member<unknown> | undefined
  /** Never there; it carries the type. */
  readonly type?: T
}

/** The type of the values that a shape takes. */
export type Of<S> = S extends SettingShape<infer T> ? T : never

/** One member of a table: its shape, its purpose in a sentence, and its scope and tightening unless those above it count. */
export interface Member<T> extends Partial<SettingRule> {
  readonly shape: SettingShape<T>
  readonly says: string
  readonly default?: Value
}

/** Pattern of a text; the text itself is not shown, as it may be a secret. */
export interface Pattern {
  readonly matches: RegExp
  readonly problem: string
  readonly fix: string
}

/** Text; with a pattern, only text that matches it. */
export function textValue(pattern?: Pattern): SettingShape<string> {
  return {
    schema: { type: 'string', ...(pattern && { pattern: pattern.matches.source }) },
    check(value, at, report) {
      if (typeof value !== 'string')
        report({ at, problem: `is ${nameOf(value)}`, fix: 'write a text in double quotes' })
      else if (pattern !== undefined && !pattern.matches.test(value)) report({ at, ...pattern })
    },
  }
}

/** A whole number within bounds. */
export function whole(minimum: number, maximum: number): SettingShape<number> {
  return {
    schema: { type: 'integer', minimum, maximum },
    check(value, at, report) {
      const fits = Number.isSafeInteger(value) && Number(value) >= minimum && Number(value) <= maximum
      if (!fits) report({ at, problem: `is ${show(value)}`, fix: `write a whole number from ${minimum} to ${maximum}` })
    },
  }
}

/** A number within bounds. */
export function decimal(minimum: number, maximum: number): SettingShape<number> {
  return {
    schema: { type: 'number', minimum, maximum },
    check(value, at, report) {
      const fits = typeof value === 'number' && value >= minimum && value <= maximum
      if (!fits) report({ at, problem: `is ${show(value)}`, fix: `write a number from ${minimum} to ${maximum}` })
    },
  }
}

/** `true` or `false`. */
export function flag(): SettingShape<boolean> {
  return {
    schema: { type: 'boolean' },
    check(value, at, report) {
      if (typeof value !== 'boolean') report({ at, problem: `is ${show(value)}`, fix: 'write true or false' })
    },
  }
}

/** One of some words. */
export function choice<const T extends string>(...words: readonly T[]): SettingShape<T> {
  return {
    schema: { enum: words },
    check(value, at, report) {
      if (!words.includes(value as T))
        report({ at, problem: `is ${show(value)}`, fix: `write ${words.map(show).join(' or ')}` })
    },
  }
}

/** One of some words, or a list of several of them, each once. */
export function choices<const T extends string>(...words: readonly T[]): SettingShape<T | readonly T[]> {
  const one = choice(...words)
  const items = { type: 'array', items: one.schema, minItems: 1, uniqueItems: true }
  return {
    schema: { anyOf: [one.schema, items] },
    check(value, at, report) {
      const list = Array.isArray(value) ? value : [value]
      const fits = list.length > 0 && new Set(list).size === list.length && list.every((item) => words.includes(item))
      const each = words.map(show)
      const fix = `write ${each.join(', ')} or, for several, a list such as [${each.join(', ')}]`
      if (!fits) report({ at, problem: `is ${show(value)}`, fix })
    },
  }
}

/** A list of values of one shape. */
export function listOf<T>(items: SettingShape<T>): SettingShape<readonly T[]> {
  return {
    schema: { type: 'array', items: items.schema },
    inside: () => ({ says: '', shape: items }),
    check(value, at, report) {
      if (!Array.isArray(value)) report({ at, problem: `is ${nameOf(value)}`, fix: 'write a list in square brackets' })
      else for (const [index, item] of value.entries()) items.check(item, [...at, index], report)
    },
  }
}

/** A table whose keys the person chooses. */
export function mapOf<T>(values: SettingShape<T>): SettingShape<{ readonly [key: string]: T }> {
  return {
    schema: { type: 'object', additionalProperties: values.schema },
    inside: () => ({ says: '', shape: values }),
    check(value, at, report) {
      if (!isTable(value)) return report({ at, problem: `is ${nameOf(value)}`, fix: 'write a table in braces' })
      for (const [key, inner] of Object.entries(value)) values.check(inner, [...at, key], report)
    },
  }
}

type Members = { readonly [key: string]: Member<unknown> }

/** A table of known keys, none of which must be there. */
export function table<M extends Members>(members: M): SettingShape<{ readonly [K in keyof M]?: Of<M[K]['shape']> }> {
  const properties = Object.fromEntries(
    Object.entries(members).map(([key, { shape, says, scope, default: usual }]) => [
      key,
      { description: described(says, scope), ...shape.schema, ...(usual !== undefined && { default: usual }) },
    ]),
  )
  return {
    schema: { type: 'object', properties, additionalProperties: false },
    inside: (key) => (Object.hasOwn(members, key) ? members[key] : undefined),
    check(value, at, report) {
      if (!isTable(value)) return report({ at, problem: `is ${nameOf(value)}`, fix: 'write a table in braces' })
      for (const [key, inner] of Object.entries(value)) {
        const member = Object.hasOwn(members, key) ? members[key] : undefined
        if (member === undefined) report(unknownKey([...at, key], members))
        else member.shape.check(inner, [...at, key], report)
      }
    },
  }
}

function described(says: string, scope: Member<unknown>['scope']): string {
  return scope === 'host' ? `${says} For the whole host: only your own file sets it.` : says
}

/** Any value; its user checks it. */
export function anyValue(schema: Table): SettingShape<Value> {
  return { schema, check: () => {} }
}

/** A key that is nearly a known one was meant to be it, so that its table cannot be used as it is. */
function unknownKey(at: Path, members: Members): Misfit {
  const key = `${at.at(-1)}`
  const problem = 'is no key that is known here'
  const known = at.length === 1 ? foreignServers : foreignKeys
  const foreign = Object.hasOwn(known, key) ? known[key] : undefined
  if (foreign !== undefined) return { at, problem, fix: `write ${foreign} instead`, harmless: true }
  const near = Object.keys(members).find((member) => distance(member.toLowerCase(), key.toLowerCase()) <= 2)
  if (near !== undefined) return { at, problem, fix: `did you mean "${near}"` }
  return { at, problem, fix: 'remove it', harmless: true }
}

/** Names of the table of servers in other programs, with ours. */
const foreignServers: { readonly [key: string]: string } = {
  servers: '"mcpServers"',
  mcp: '"mcpServers"',
  mcp_servers: '"mcpServers"',
  context_servers: '"mcpServers"',
}

/** Keys that other programs use for the same, and ours. */
const foreignKeys: { readonly [key: string]: string } = {
  autoApprove: '"policy.allow"',
  alwaysAllow: '"policy.allow"',
  trust: '"policy.allow"',
  includeTools: '"tools.only"',
  enabledTools: '"tools.only"',
  excludeTools: '"tools.except"',
  disabledTools: '"tools.except"',
  httpUrl: '"url"',
  serverUrl: '"url"',
  timeout: '"callTimeoutMs"',
  environment: '"env"',
  enabled: '"disabled"',
}

/** Edit distance of two words: characters to change, add or remove. */
function distance(one: string, other: string): number {
  let row = Array.from({ length: other.length + 1 }, (_, at) => at)
  for (const [at, character] of [...one].entries()) {
    const next = [at + 1]
    for (let to = 0; to < other.length; to++) {
      const kept = (row[to] ?? 0) + (character === other[to] ? 0 : 1)
      next.push(Math.min(kept, (row[to + 1] ?? 0) + 1, (next[to] ?? 0) + 1))
    }
    row = next
  }
  return row.at(-1) ?? 0
}

function show(value: Value): string {
  const shown = JSON.stringify(value)
  return shown.length > 60 ? `${shown.slice(0, 57)}...` : shown
}

function nameOf(value: Value): string {
  if (value === null) return 'null'
  if (Array.isArray(value)) return 'a list'
  if (isTable(value)) return 'a table'
  return typeof value === 'string' ? 'a text' : `a ${typeof value}`
}
