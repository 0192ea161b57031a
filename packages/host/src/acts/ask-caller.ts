import { visibleText } from '@trunkline/base/visible'
import type { Fields } from '@trunkline/mcp'
import type { Inbox } from '../inbox/inbox.ts'
import type { Answer, Question } from '../inbox/question.ts'
import { canFillForms } from '../relay/caller-can.ts'
import type { Doing } from './doing.ts'

const choices = [
  { const: 'once', title: 'Allow this call' },
  { const: 'session', title: 'Allow this tool for this session' },
  { const: 'refuse', title: 'Refuse' },
] as const

/** Asks the person in front of the caller if it can be asked; true if it was asked. */
export function askCaller(question: Question, { act, call }: Doing, inbox: Inbox): boolean {
  if (!canFillForms(call.caller)) return false
  const withdrawn = new AbortController()
  const offered = choices.filter(({ const: choice }) => choice !== 'session' || act.class !== 'destroys')
  const params = {
    mode: 'form',
    message: messageOf(question),
    requestedSchema: {
      type: 'object',
      properties: { decision: { type: 'string', title: 'Decision', oneOf: offered } },
      required: ['decision'],
    },
  }
  // named after the question, so that only the caller that was asked can answer it
  call
    .ask({ method: 'elicitation/create', params }, { signal: withdrawn.signal, key: `approval-${question.id}` })
    .then((answer) => inbox.answer(question.id, answerOf(answer, act.principal.name), { isLocal: false }))
    // answered elsewhere, or the caller is gone: the question is still in the inbox
    .catch(() => {})
  void inbox.settled(question.id).then(() => withdrawn.abort(new Error('The question was answered elsewhere')))
  return true
}

function answerOf({ action, content }: Fields, by: string): Answer {
  const decision = (content as Fields | undefined)?.decision
  const isGiven = action === 'accept' && choices.some(({ const: choice }) => choice === decision)
  return { choice: isGiven ? (decision as Answer['choice']) : 'refuse', by }
}

function messageOf({ server, target, detail, why }: Question): string {
  const args = visibleText(JSON.stringify(detail.arguments, null, 2))
  const preview = Array.isArray(detail.preview)
    ? detail.preview.map((effect) => `\n- ${visibleText(String(effect))}`)
    : []
  const would = preview.length > 0 ? `\nIt says that it would:${preview.join('')}` : ''
  return `[server ${server}] May "${visibleText(target)}" run?\n${args}${would}\n(${why})`
}
