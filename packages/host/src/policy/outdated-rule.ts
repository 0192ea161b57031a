import { isGlob } from '@trunkline/base/glob'
import { canonicalJson } from '@trunkline/mcp'
import type { ToolClass } from '../act/act.ts'
import { isPlainPath } from './paths.ts'
import type { Condition, Rule } from './rule.ts'

/** Reason why a rule no longer means what it was written for. */
export interface OutdatedRule {
  readonly why: string
  /** The rule that says it; missing where none can, so that it is best removed. */
  readonly instead?: string
}

/**
 * Finds a rule that allows and was written for an earlier meaning: an "always" for a tool that destroys, which left further
 * arguments open, or a pattern of addresses or paths that matches less than its text once did.
 */
export function outdatedRule(rule: Rule, toolClass: ToolClass | undefined): OutdatedRule | undefined {
  if (rule.effect !== 'allow') return undefined
  const isAlways = !isGlob(rule.target) && rule.conditions.length > 0 && rule.conditions.every(isOneValue)
  if (isAlways && (toolClass === undefined || toolClass === 'destroys')) {
    const why = 'it also allows calls with further arguments; "always" now allows exactly these'
    return { why, instead: `${rule.server}:${rule.target}{==${canonicalJson(argumentsOf(rule.conditions))}}` }
  }
  for (const { comparison, patterns = [], values } of rule.conditions) {
    if (comparison !== '~') continue
    for (const [at, { kind }] of patterns.entries()) {
      const text = String(values[at])
      const found = kind === 'address' ? narrowedAddress(text) : kind === 'path' ? narrowedPath(text) : undefined
      if (found) return said(found, text, rule)
    }
  }
  return undefined
}

function said({ why, instead }: OutdatedRule, text: string, rule: Rule): OutdatedRule {
  const changed = instead === undefined ? rule.text : rule.text.replace(text, instead)
  return { why, ...(changed !== rule.text && { instead: changed }) }
}

function isOneValue({ comparison, values, path }: Condition): boolean {
  return comparison === '=' && values.length === 1 && path.length === 1
}

function argumentsOf(conditions: readonly Condition[]): object {
  return Object.fromEntries(conditions.map(({ path: [name = ''], values: [value] }) => [name, value]))
}

/** Finds a star in an address that matches less than it once did. */
function narrowedAddress(text: string): OutdatedRule | undefined {
  const [, start = '', host = '', path = ''] = /^([^:]*:(?:\/\/)?)([^/?#]*)([\s\S]*)$/.exec(text) ?? []
  if (/[^*.:]\*$/.test(host)) {
    const why = `"${host}" no longer matches a port`
    return { why, instead: `${start}${host.slice(0, -1)}:*${path}` }
  }
  if (/\.\*(?:\.|$)/.test(host)) {
    const why = `a star in "${host}" stays within its label now`
    return { why, instead: start + host.replace(/\.\*(?=\.|$)/g, '.**') + path }
  }
  if (/[^*]\*$/.test(path) && !path.includes('?'))
    return { why: `"${path}" no longer matches a query`, instead: `${text}?**` }
  return undefined
}

function narrowedPath(text: string): OutdatedRule | undefined {
  const path = text.replace(/^file:\/\//, '')
  if (/^\/(?:proc\/(?:self|thread-self|\d+)|dev\/(?:fd|std\w+))(?:\/|$)/.test(path))
    return { why: `"${path}" is another place for each process, so nothing in it is allowed` }
  const literal = path.replaceAll('*', '').replace(/^~\//, '/').replace(/\/+/g, '/')
  if (literal === '' || literal === '/' || isPlainPath(literal)) return undefined
  return { why: `"${path}" has characters that programs read in different ways, so nothing in it is allowed` }
}
