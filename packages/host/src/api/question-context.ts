import type { Question } from '../inbox/question.ts'
import { callsSince, queryLedger } from '../ledger/query.ts'
import type { ApiParts } from './parts.ts'
import type { RouteAnswer } from './routes.ts'

const monthMs = 30 * 24 * 3_600_000

/** What a person wants to know before they answer: what ran last, and which rule "always" would make. */
export function questionContext(question: Question, parts: ApiParts): RouteAnswer<'questionContext'> {
  if (question.kind !== 'call') return {}
  const { server, target, principal, detail } = question
  const entry = parts.catalogue.find(server, 'tool', target)
  const [last] = queryLedger(parts.store, { server, target, principal, kind: 'ended', outcome: 'ok', most: 1 })
  const before = last?.line.act === undefined ? undefined : parts.payloads.of(last.line.act).arguments
  return {
    ...(last && isFields(before) && { last: { at: last.at, arguments: before } }),
    ...(detail.class !== 'destroys' && { rule: ruleOf(question, parts) }),
    ...(entry && { definition: entry.definition }),
  }
}

function ruleOf({ server, target, project }: Question, parts: ApiParts) {
  const { text, file } = parts.ruleFor({ server, target, project })
  const recent = callsSince(parts.store, Date.now() - monthMs)
  return { text, file, matches: recent.get(server)?.get(target) ?? 0 }
}

function isFields(value: unknown): value is Record<string, unknown> {
  return typeof value === 'object' && value !== null && !Array.isArray(value)
}
