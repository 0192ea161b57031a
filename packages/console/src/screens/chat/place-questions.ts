import type { OpenConversation } from '../../host/conversation.ts'
import type { Question } from '../../host/queries.ts'
import type { CalledTools } from './called-tools.ts'

/** Questions of a conversation: at the calls they are about, and those of servers that work for it. */
export interface PlacedQuestions {
  readonly byCall: ReadonlyMap<string, Question>
  readonly others: readonly Question[]
}

/** Finds the questions that wait because of this conversation, each at its place. */
export function placeQuestions(
  questions: readonly Question[],
  { entries, underway }: OpenConversation,
  tools: CalledTools,
): PlacedQuestions {
  const byCall = new Map<string, Question>()
  const last = entries.findLast((entry) => entry.by === 'model')
  const open = entries.at(-1)?.by === 'model' && last ? last.content : []
  for (const part of open) {
    if (part.type !== 'tool call' || underway.results.some(({ id }) => id === part.id)) continue
    const told = underway.waiting.find(({ id }) => id === part.id)?.question
    const tool = tools.get(part.name)
    const found = questions.find(
      (question) => question.id === told || (tool && isAbout(question, tool, part.arguments)),
    )
    if (found) byCall.set(part.id, found)
  }
  const started = entries.findLast((entry) => entry.by === 'person')?.at ?? 0
  const placed = new Set([...byCall.values()].map(({ id }) => id))
  const others = questions.filter((question) => {
    const isOfChat = question.principal === 'chat' || question.principal.startsWith('server ')
    return isOfChat && question.askedAt >= started && !placed.has(question.id)
  })
  return { byCall, others }
}

function isAbout(
  { kind, principal, server, target, detail }: Question,
  tool: { readonly server: string; readonly original: string },
  args: unknown,
): boolean {
  if (principal !== 'chat' || server !== tool.server || target !== tool.original) return false
  if (kind === 'result') return true
  return kind === 'call' && canonical(detail.arguments ?? {}) === canonical(args)
}

/** A value as text that does not depend on the order of its members. */
function canonical(value: unknown): string {
  return JSON.stringify(value, (_key, member) =>
    typeof member === 'object' && member !== null && !Array.isArray(member)
      ? Object.fromEntries(Object.entries(member).sort(([one], [other]) => (one < other ? -1 : 1)))
      : member,
  )
}
