import { coverageInWords } from '../inbox/coverage.ts'
import type { Answer, Question, Settlement } from '../inbox/question.ts'
import type { Ledger } from '../ledger/ledger.ts'
import type { Line } from '../ledger/line.ts'

/** Records the decision of a person, or that none came in time, in the same write that settles the question. */
export function recordDecision(ledger: Ledger, question: Question, settlement: Settlement): (() => void) | undefined {
  if (settlement.state === 'withdrawn') return undefined
  return ledger.appendWithin({ ...about(question, ledger), ...outcomeOf(settlement, question) })
}

function about(
  { id, server, target, principal, project, detail, kind, askedAt }: Question,
  ledger: Ledger,
): Omit<Line, 'kind'> {
  return {
    question: id,
    principal,
    ms: Math.max(0, Date.now() - askedAt),
    server,
    target,
    ...(typeof detail.act === 'string' && { act: detail.act }),
    ...(project !== undefined && { project }),
    ...(kind === 'call' && { argumentsDigest: ledger.digest(detail.arguments) }),
  }
}

function outcomeOf(
  settlement: Exclude<Settlement, { state: 'withdrawn' }>,
  question: Question,
): Pick<Line, 'kind' | 'outcome' | 'by' | 'why'> {
  if (settlement.state !== 'answered') return { kind: 'refused', outcome: settlement.state, why: settlement.why }
  const { choice, by, sentence } = settlement.answer
  const why = [sentence, coveredBy(settlement.answer, question)].filter((one) => one !== undefined).join('; ')
  return { kind: 'decided', outcome: choice, by, ...(why !== '' && { why }) }
}

/** Everything that an answer covers, if that is more than the question was about. */
function coveredBy({ choice, covers }: Answer, { server, target, principal, project }: Question): string | undefined {
  if (choice !== 'project' && covers === undefined) return undefined
  const { tools = [{ name: target }], clients = [{ name: principal }] } = covers ?? {}
  const names = (all: readonly { readonly name: string }[]) => all.map(({ name }) => name)
  return `covers ${coverageInWords({ server, tools: names(tools), clients: names(clients), project })}`
}
