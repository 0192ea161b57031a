import { matchesGlob } from '@trunkline/base/glob'
import { nearName } from '@trunkline/mcp/json-schema'
import type { Rule } from './rule.ts'
import { isRuleOver, matchesTarget } from './rule-subject.ts'

/** A configured server, and its tools as far as they are known. */
export interface RuledServer {
  readonly name: string
  /** Empty while it was never started. */
  readonly tools: readonly string[]
}

const maxNames = 8

/** Reason why a rule matches no act at all at the moment; undefined if it may match one. */
export function unmatchedRule(rule: Pick<Rule, 'server' | 'target' | 'until'>, servers: readonly RuledServer[]) {
  const { server, target, until } = rule
  if (until !== undefined && isRuleOver(rule)) return `It ended at ${new Date(until).toISOString()}`
  const meant = servers.filter(({ name }) => matchesGlob(server, name))
  if (meant.length === 0) {
    return `No server is called "${server}"${instead(
      server,
      servers.map(({ name }) => name),
    )}`
  }
  // the tools of a server that was never started are not known, and other acts have no names
  if (target.startsWith('@') || meant.some(({ tools }) => tools.length === 0)) return undefined
  const tools = meant.flatMap((one) => one.tools)
  if (tools.some((tool) => matchesTarget(target, tool))) return undefined
  return `No tool of ${meant.map(({ name }) => `"${name}"`).join(', ')} is called "${target}"${instead(target, tools)}`
}

function instead(name: string, known: readonly string[]): string {
  const near = nearName(name, known)
  if (near !== undefined) return `; did you mean "${near}"?`
  if (known.length === 0) return ''
  const more = known.length > maxNames ? ` and ${known.length - maxNames} more` : ''
  return `; there are ${known.slice(0, maxNames).join(', ')}${more}`
}
