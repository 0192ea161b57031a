import type { z } from 'zod'
import type { ActKind, ToolClass } from '../act/act.ts'
import type { Question } from '../inbox/question.ts'
import { callsSince, queryLedger } from '../ledger/query.ts'
import { coverageOf, questionServerKey, shownCoverage } from './answer-coverage.ts'
import type { questionBackground } from './inbox-schemas.ts'
import type { ApiServices } from './services.ts'

const monthMs = 30 * 24 * 3_600_000

/** Context of a question for the person: the last calls, and the rule that "always" would make. */
export function questionContext(question: Question, services: ApiServices): z.output<typeof questionBackground> {
  const { host } = services
  if (question.kind !== 'call') return {}
  const { server, target, principal } = question
  const rule = ruleOf(question, services)
  const entry = host.catalogue.find(questionServerKey(question, host), 'tool', target)
  const [last] = queryLedger(host.store, { server, target, principal, kind: 'ended', outcome: 'ok', most: 1 })
  const before = last?.line.act === undefined ? undefined : host.ledger.payloads.of(last.line.act).arguments
  const coverage = coverageOf(question, host)
  return {
    ...(coverage && { coverage: shownCoverage(coverage) }),
    ...(last && isFields(before) && { last: { at: last.at, arguments: before } }),
    ...(rule && { rule }),
    ...(entry && { definition: entry.definition }),
  }
}

function ruleOf({ server, target, project, detail, principal }: Question, { host, rules }: ApiServices) {
  const args = isFields(detail.arguments) ? detail.arguments : {}
  const kind = detail.class as ToolClass
  const act = { kind: detail.kind as ActKind, server, target, project, class: kind, arguments: args }
  const rule = rules.ruleFor(act)
  if (!rule) return undefined
  const exactly = rules.ruleFor(act, { isExact: true })
  const since = Date.now() - monthMs
  const ended = queryLedger(host.store, { server, target, kind: 'ended', since, most: 1_000 })
  const digest = host.ledger.digest(args)
  const alike = ended.filter(({ line }) => line.argumentsDigest === digest)
  const ofClient = (lines: typeof ended) => lines.filter(({ line }) => line.principal === principal).length
  const exact = { matches: ofClient(alike), matchesOfAll: alike.length }
  // for a tool that destroys, the rule is for these arguments alone
  if (kind === 'destroys') return { ...rule, client: principal, ...exact }
  const all = callsSince(host.store, since).get(server)?.get(target) ?? 0
  return {
    ...{ ...rule, client: principal, matches: ofClient(ended), matchesOfAll: all },
    ...(exactly && exactly.text !== rule.text && { exact: { text: exactly.text, ...exact } }),
  }
}

function isFields(value: unknown): value is Record<string, unknown> {
  return typeof value === 'object' && value !== null && !Array.isArray(value)
}
