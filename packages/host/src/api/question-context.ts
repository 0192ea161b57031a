import type { ToolClass } from '../catalogue/entry.ts'
import type { Question } from '../inbox/question.ts'
import { callsSince, queryLedger } from '../ledger/query.ts'
import { type ServerKey, serverKey, serverNameOf } from '../servers/server-key.ts'
import type { ApiParts } from './parts.ts'
import type { RouteAnswer } from './routes.ts'

const monthMs = 30 * 24 * 3_600_000

/** What a person wants to know before they answer: what ran last, and which rule "always" would make. */
export function questionContext(question: Question, parts: ApiParts): RouteAnswer<'questionContext'> {
  if (question.kind !== 'call') return {}
  const { server, target, principal } = question
  const rule = ruleOf(question, parts)
  const entry = parts.catalogue.find(keyIn(parts, question), 'tool', target)
  const [last] = queryLedger(parts.store, { server, target, principal, kind: 'ended', outcome: 'ok', most: 1 })
  const before = last?.line.act === undefined ? undefined : parts.ledger.payloads.of(last.line.act).arguments
  return {
    ...(last && isFields(before) && { last: { at: last.at, arguments: before } }),
    ...(rule && { rule }),
    ...(entry && { definition: entry.definition }),
  }
}

/** The key of the server that a question is about, in the project of whoever asked for it. */
function keyIn(parts: ApiParts, { server, project }: Question): ServerKey {
  const named = parts.specs().filter(({ name }) => serverNameOf(name) === server)
  return (named.find((spec) => spec.project === project) ?? named[0])?.name ?? serverKey(server)
}

function ruleOf({ server, target, project, detail }: Question, parts: ApiParts) {
  const args = isFields(detail.arguments) ? detail.arguments : {}
  const kind = detail.class as ToolClass
  const rule = parts.ruleFor({ server, target, project, class: kind, arguments: args })
  if (!rule) return undefined
  const since = Date.now() - monthMs
  if (kind !== 'destroys') return { ...rule, matches: callsSince(parts.store, since).get(server)?.get(target) ?? 0 }
  // its rule is for these arguments alone
  const digest = parts.ledger.digest(args)
  const ended = queryLedger(parts.store, { server, target, kind: 'ended', since, most: 1_000 })
  return { ...rule, matches: ended.filter(({ line }) => line.argumentsDigest === digest).length }
}

function isFields(value: unknown): value is Record<string, unknown> {
  return typeof value === 'object' && value !== null && !Array.isArray(value)
}
