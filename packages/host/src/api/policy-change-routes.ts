import type { Fields } from '@trunkline/mcp'
import { z } from 'zod'
import type { Host } from '../assembly/host.ts'
import { ruleOf } from '../config/replace-rule.ts'
import type { WrittenRuleChange } from '../config/written-rules.ts'
import { dryRun } from '../policy/dry-run.ts'
import { parseRule } from '../policy/parse-rule.ts'
import type { RuleText } from '../policy/rule.ts'
import { RuleError } from '../policy/rule-error.ts'
import { type AnsweredCall, suggestRules } from '../policy/suggest.ts'
import { unmatchedRule } from '../policy/unmatched-rule.ts'
import { ApiError } from './api-error.ts'
import { knownKey } from './known-key.ts'
import { ruledServers } from './policy-routes.ts'
import { policyIn, trialPolicy } from './project-policy.ts'
import { recordChange } from './record-change.ts'
import { recordedCalls } from './recorded-calls.ts'
import { route } from './route.ts'
import * as s from './schemas.ts'

const dayMs = 24 * 3_600_000
const monthMs = 30 * dayMs
/** Answers that suggestions are made from, newest first. */
const maxAnswers = 5_000

const effect = z.enum(['allow', 'ask', 'deny'])
const written = z.object({ effect, rule: z.unknown(), file: z.string() })

/** Routes that try, propose, write and undo rules. */
export const policyChangeRoutes = {
  dryRunPolicy: route({
    method: 'POST',
    path: '/api/policy/dry-run',
    needs: 'nothing',
    says: 'What would have been different with another policy, over the calls that were recorded',
    body: z.strictObject({
      text: z.string().optional().describe('Instead of the own file of the person'),
      rules: z.array(z.strictObject({ effect, rule: z.string() })).optional(),
      since: z.number().optional(),
    }),
    answer: z.object({
      calls: z.number().describe('Calls that were judged'),
      untold: z.number().describe('Calls whose arguments a rule asks for and nobody kept'),
      problems: z.array(s.configProblem),
      unmatched: z
        .array(z.object({ rule: z.string(), why: z.string() }))
        .describe('Further rules that match nothing at the moment, such as for a server that is not configured'),
      changes: z.array(
        z.object({
          server: z.string(),
          target: z.string(),
          principal: z.string(),
          from: effect,
          to: effect,
          why: z.string(),
          count: z.number(),
          example: z.object({ id: z.string(), at: z.number(), arguments: z.record(z.string(), z.unknown()) }),
        }),
      ),
    }),
    async handle({ text, rules, since = Date.now() - monthMs }, services, { directory }) {
      const { policy: before } = await policyIn(services.host, directory)
      const { policy: after, problems } = await trialPolicy(services, { text, rules }, directory).catch(refuseBadRule)
      const told = dryRun(await recordedCalls(services.host, since), { before, after })
      const known = new Set(before.rules.map(({ effect, text }) => `${effect} ${text}`))
      const fresh = after.rules.filter(({ effect, text }) => !known.has(`${effect} ${text}`))
      const servers = ruledServers(services.host)
      const unmatched = fresh.flatMap((rule) => {
        const why = unmatchedRule(rule, servers)
        return why === undefined ? [] : { rule: rule.text, why }
      })
      return { ...told, changes: [...told.changes], problems: [...problems], unmatched }
    },
  }),
  suggestRules: route({
    method: 'GET',
    path: '/api/policy/suggestions',
    needs: 'nothing',
    says: 'Rules that would have answered what a person always allowed in the last 30 days, as far as that is kept',
    answer: z.object({
      days: z.number(),
      items: z.array(
        z.object({
          rule: z.string(),
          server: z.string(),
          target: z.string(),
          answers: z.number(),
          principals: z.array(z.string()),
        }),
      ),
    }),
    handle: (_input, { host }) => ({
      // questions are kept no longer than the arguments they hold
      days: Math.min(monthMs / dayMs, host.retention.limits.keepDays),
      items: suggestRules(answeredCalls(host)).map((one) => ({ ...one, principals: [...one.principals] })),
    }),
  }),
  addRule: route({
    method: 'POST',
    path: '/api/policy/rules',
    needs: 'person',
    says: 'Writes a rule to the own file of the person',
    body: z.strictObject({ effect, rule: z.string() }),
    answer: written,
    async handle({ effect, rule }, { host, rules }, context) {
      refuseWide(host, effect, rule)
      await recordChange(host, context, { effect, rule, outcome: 'rule added', why: `${effect} ${rule}` })
      return { effect, rule, file: await rules.write(effect, rule) }
    },
  }),
  replaceRule: route({
    method: 'POST',
    path: '/api/policy/rules/replace',
    needs: 'person',
    says: 'Puts another rule in the place of one that is in force, or removes it from its file',
    body: z.strictObject({
      effect,
      rule: z.string().describe('As the list of rules shows it'),
      file: z.string(),
      instead: z.string().optional().describe('Without it the rule is removed'),
    }),
    answer: z.object({ effect, rule: z.string(), file: z.string(), instead: z.string().optional() }),
    async handle({ effect, rule, file, instead }, { host, rules }, context) {
      const { policy } = await policyIn(host, context.directory)
      const isInForce = policy.rules.some(
        (one) => one.effect === effect && one.text === rule && one.source.file === file,
      )
      if (!isInForce) throw new ApiError(404, `There is no rule ${effect} "${rule}" in "${file}"`)
      if (instead !== undefined) refuseWide(host, effect, readRule(instead))
      const change =
        instead === undefined
          ? { outcome: 'rule removed', why: `${effect} ${rule}, in ${file}` }
          : { outcome: 'rule replaced', why: `${effect} ${instead} instead of ${rule}, in ${file}` }
      await recordChange(host, context, { effect, rule: instead ?? rule, ...change })
      await rules.replace({ file, effect, text: rule }, instead)
      return { effect, rule, file, ...(instead !== undefined && { instead }) }
    },
  }),
  lastRule: route({
    method: 'GET',
    path: '/api/policy/undo',
    needs: 'nothing',
    says: 'The rule that was written last, which can be taken out again',
    answer: written,
    handle: async (_input, { rules }) => shown((await rules.last()) ?? nothingToUndo()),
  }),
  undoRule: route({
    method: 'POST',
    path: '/api/policy/undo',
    needs: 'person',
    says: 'Takes the rule that was written last out of its file again',
    answer: written,
    async handle(_input, { host, rules }, context) {
      const { effect, rule, file } = shown((await rules.undo()) ?? nothingToUndo())
      const text = typeof rule === 'string' ? rule : JSON.stringify(rule)
      await recordChange(host, context, { effect, rule: text, outcome: 'rule undone', why: `${effect} ${text}` })
      return { effect, rule, file }
    },
  }),
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
export function refuseWide(host: Host, effect: 'allow' | 'ask' | 'deny', rule: RuleText): void {
  try {
    const { server, target, conditions } = parseRule(effect, rule, {
      layer: 'user',
      file: 'the request',
      line: 1,
    })
    const entry = host.catalogue.find(knownKey(host, server), 'tool', target)
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
function answeredCalls(host: Host): readonly AnsweredCall[] {
  const { inbox, policy } = host
  return inbox.answered('call', Date.now() - monthMs, maxAnswers).flatMap(({ question, answer }): AnsweredCall[] => {
    const { server, target, principal, project, principalId, id, askedAt } = question
    const { arguments: args = {}, class: decided = 'unknown' } = question.detail as {
      arguments?: Fields
      class?: AnsweredCall['class']
    }
    const { effect } = policy.judge({
      id,
      kind: 'call',
      principal: { id: principalId, name: principal, isApprover: false },
      project,
      server,
      serverKey: knownKey(host, server),
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
