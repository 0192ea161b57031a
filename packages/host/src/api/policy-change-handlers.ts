import type { Fields } from '@trunkline/mcp'
import { ruleOf } from '../config/replace-rule.ts'
import type { WrittenRuleChange } from '../config/written-rules.ts'
import { dryRun } from '../policy/dry-run.ts'
import { parseRule } from '../policy/parse-rule.ts'
import type { RuleText } from '../policy/rule.ts'
import { RuleError } from '../policy/rule-error.ts'
import { type AnsweredCall, suggestRules } from '../policy/suggest.ts'
import { ApiError } from './api-error.ts'
import type { Handlers } from './handlers.ts'
import { knownKey } from './known-key.ts'
import type { ApiParts } from './parts.ts'
import { recordChange } from './record-change.ts'
import { recordedCalls } from './recorded-calls.ts'

const dayMs = 24 * 3_600_000
const monthMs = 30 * dayMs
/** Answers that suggestions are made from, newest first. */
const maxAnswers = 5_000

/** Trying, proposing, writing and undoing rules. */
export function policyChangeHandlers(
  parts: ApiParts,
): Pick<Handlers, 'dryRunPolicy' | 'suggestRules' | 'addRule' | 'replaceRule' | 'lastRule' | 'undoRule'> {
  return {
    async dryRunPolicy({ text, rules, since = Date.now() - monthMs }, { directory }) {
      const { policy: before } = await parts.policyIn(directory)
      const { policy: after, problems } = await parts.trialPolicy({ text, rules }, directory).catch(refuseBadRule)
      const told = dryRun(await recordedCalls(parts, since), { before, after })
      return { ...told, changes: [...told.changes], problems: [...problems] }
    },
    suggestRules: () => ({
      // questions are kept no longer than the arguments they hold
      days: Math.min(monthMs / dayMs, parts.keepDays()),
      items: suggestRules(answeredCalls(parts)).map((one) => ({ ...one, principals: [...one.principals] })),
    }),
    async addRule({ effect, rule }, context) {
      refuseWide(parts, effect, rule)
      await recordChange(parts, context, { effect, rule, outcome: 'rule added', why: `${effect} ${rule}` })
      return { effect, rule, file: await parts.writeRule(effect, rule) }
    },
    async replaceRule({ effect, rule, file, instead }, context) {
      const { policy } = await parts.policyIn(context.directory)
      const isInForce = policy.rules.some(
        (one) => one.effect === effect && one.text === rule && one.source.file === file,
      )
      if (!isInForce) throw new ApiError(404, `There is no rule ${effect} "${rule}" in "${file}"`)
      if (instead !== undefined) refuseWide(parts, effect, readRule(instead))
      const change =
        instead === undefined
          ? { outcome: 'rule removed', why: `${effect} ${rule}, in ${file}` }
          : { outcome: 'rule replaced', why: `${effect} ${instead} instead of ${rule}, in ${file}` }
      await recordChange(parts, context, { effect, rule: instead ?? rule, ...change })
      await parts.replaceRule({ file, effect, text: rule }, instead)
      return { effect, rule, file, ...(instead !== undefined && { instead }) }
    },
    lastRule: async () => shown((await parts.lastRule()) ?? nothingToUndo()),
    async undoRule(_input, context) {
      const { effect, rule, file } = shown((await parts.undoRule()) ?? nothingToUndo())
      const text = typeof rule === 'string' ? rule : JSON.stringify(rule)
      await recordChange(parts, context, { effect, rule: text, outcome: 'rule undone', why: `${effect} ${text}` })
      return { effect, rule, file }
    },
  }
}

function nothingToUndo(): never {
  throw new ApiError(404, 'No rule was written for you that could be undone')
}

function shown({ effect, rule, change: { file } }: WrittenRuleChange) {
  return { effect, rule, file }
}

function refuseBadRule(error: unknown): never {
  throw error instanceof RuleError ? new ApiError(400, error.message) : error
}

/** Refuses a rule that allows a destroying tool without conditions on its arguments. */
export function refuseWide(parts: ApiParts, effect: 'allow' | 'ask' | 'deny', rule: RuleText): void {
  try {
    const { server, target, conditions } = parseRule(effect, rule, {
      layer: 'user',
      file: 'the request',
      line: 1,
    })
    const entry = parts.catalogue.find(knownKey(parts, server), 'tool', target)
    if (effect !== 'allow' || entry?.class !== 'destroys' || conditions.length > 0) return
  } catch (error) {
    refuseBadRule(error)
  }
  const text = typeof rule === 'string' ? rule : (rule.match ?? '*:*')
  throw new ApiError(400, `Cannot allow "${text}": it destroys, so write a condition, as in "${text}{argument=value}"`)
}

/** A rule by its text or its JSON. */
function readRule(text: string): RuleText {
  try {
    return ruleOf(text) as RuleText
  } catch {
    throw new ApiError(400, `Cannot read the rule ${text}: it is no JSON`)
  }
}

/** Calls that a person was asked about, but those that a rule allows by now. */
function answeredCalls(parts: ApiParts): readonly AnsweredCall[] {
  const { inbox, policy } = parts
  return inbox.answered('call', Date.now() - monthMs, maxAnswers).flatMap(({ question, answer }): AnsweredCall[] => {
    const { server, target, principal, project, principalId, id, askedAt } = question
    const { arguments: args = {}, class: decided = 'unknown' } = question.detail as {
      arguments?: Fields
      class?: AnsweredCall['class']
    }
    const { effect } = policy().judge({
      id,
      kind: 'call',
      principal: { id: principalId, name: principal, isApprover: false },
      project,
      server,
      serverKey: knownKey(parts, server),
      target,
      arguments: args,
      definition: undefined,
      class: decided,
      effects: [],
      trace: '',
      at: askedAt,
    })
    if (effect !== 'ask') return []
    return [{ server, target, principal, class: decided, arguments: args, wasAllowed: answer.choice !== 'refuse' }]
  })
}
