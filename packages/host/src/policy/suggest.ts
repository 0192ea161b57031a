import type { Fields } from '@trunkline/mcp'
import type { ToolClass } from '../act/act.ts'
import type { ServerName } from '../act/server-name.ts'
import { commonConditions } from './common-conditions.ts'

/** A call that a person was asked about, and whether they let it run. */
export interface AnsweredCall {
  readonly server: ServerName
  readonly target: string
  readonly principal: string
  readonly class: ToolClass
  readonly arguments: Fields
  readonly wasAllowed: boolean
}

/** A rule for calls that a person answered the same way every time. */
export interface Suggestion {
  readonly rule: string
  readonly server: ServerName
  readonly target: string
  /** Number of answers it would have saved. */
  readonly answers: number
  readonly principals: readonly string[]
}

/** Fewer answers than these may be chance. */
const leastAnswers = 3

/** Rules for calls that were always allowed; a call that was refused once is left to the person. */
export function suggestRules(calls: readonly AnsweredCall[]): readonly Suggestion[] {
  const tools = new Map<string, AnsweredCall[]>()
  for (const call of calls) {
    const key = JSON.stringify([call.server, call.target])
    const same = tools.get(key)
    if (same) same.push(call)
    else tools.set(key, [call])
  }
  return [...tools.values()]
    .flatMap((answered): Suggestion[] => {
      const [first] = answered
      if (!first || answered.length < leastAnswers || answered.some(({ wasAllowed }) => !wasAllowed)) return []
      const rule = ruleFor(first, answered)
      if (rule === undefined) return []
      const principals = [...new Set(answered.map(({ principal }) => principal))].sort()
      return [{ rule, server: first.server, target: first.target, answers: answered.length, principals }]
    })
    .sort((one, other) => other.answers - one.answers)
}

function ruleFor({ server, target }: AnsweredCall, calls: readonly AnsweredCall[]): string | undefined {
  const name = `${server}:${target}`
  if (/[{}\s]/.test(name)) return undefined
  if (calls.every((call) => call.class !== 'destroys')) return name
  // a call that destroys is never allowed with arbitrary arguments
  const conditions = commonConditions(calls.map((call) => call.arguments))
  return conditions.length === 0 ? undefined : `${name}{${conditions.join(', ')}}`
}
