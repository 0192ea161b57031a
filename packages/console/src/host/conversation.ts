import type { HostEvent, RouteAnswer } from '@trunkline/host/page-api'
import { formatNumber } from '../text/number.ts'

export type ChatEntry = RouteAnswer<'chat'>['entries'][number]
export type ChatResult = Extract<ChatEntry, { readonly by: 'tools' }>['results'][number]
type Underway = NonNullable<RouteAnswer<'chat'>['underway']>

/** Event about conversations. */
export type ChatNews = Extract<HostEvent, { readonly event: 'chat' | 'chat entry' }>

/** A conversation as a page shows it. */
export interface OpenConversation extends Omit<RouteAnswer<'chat'>, 'underway' | 'remarks'> {
  /** Events since the last entry. */
  readonly underway: Underway
  /** Notes on the answer for the person, such as that something was left out. */
  readonly notes: readonly string[]
  /** Part of an answer that this page saw before the host ended, which did not keep it. */
  readonly unfinished?: string | undefined
}

const nothing: Underway = { text: '', results: [], waiting: [] }

/** A conversation as the host tells it. */
export function opened({ underway = nothing, remarks, ...rest }: RouteAnswer<'chat'>): OpenConversation {
  return { ...rest, underway, notes: remarks.flatMap(notesOf) }
}

/** A conversation as the host tells it after it was away: what it no longer knows, and this page does, is kept. */
export function openedAgain(answer: RouteAnswer<'chat'>, before: OpenConversation | undefined): OpenConversation {
  const now = opened(answer)
  if (!before || now.isAnswering || now.entries.length !== before.entries.length) return now
  const unfinished = before.underway.text || before.unfinished
  return isUnanswered(now) && unfinished ? { ...now, unfinished } : now
}

/** True if a message has no answer, and none is on its way. */
export function isUnanswered({ entries, isAnswering }: Pick<OpenConversation, 'entries' | 'isAnswering'>): boolean {
  const last = entries.at(-1)
  return !isAnswering && (last?.by === 'person' || last?.by === 'tools')
}

/** The conversation after something happened in it. */
export function happened(before: OpenConversation, news: ChatNews): OpenConversation {
  if (news.number <= before.number) return before
  const now = { ...before, number: news.number }
  return news.event === 'chat entry' ? withEntry(now, news) : withEvent(now, news.chat)
}

function withEntry(
  now: OpenConversation,
  { index, entry }: Extract<ChatNews, { event: 'chat entry' }>,
): OpenConversation {
  const entries = [...now.entries.slice(0, index), entry]
  const [tokens, cost] = spent(entries)
  const all = { ...now, entries, tokens, cost, unfinished: undefined }
  if (entry.by === 'person') {
    const title = now.title === '' ? titleOf(entry) : now.title
    return { ...all, title, isAnswering: true, underway: nothing, notes: [] }
  }
  if (entry.by === 'model') return { ...all, underway: { ...now.underway, text: '' } }
  return { ...all, underway: { ...now.underway, results: [], waiting: [] } }
}

type ChatEvent = Extract<ChatNews, { event: 'chat' }>['chat']

type Remark = Extract<ChatEvent, { type: RouteAnswer<'chat'>['remarks'][number]['type'] }>

function withEvent(now: OpenConversation, event: ChatEvent): OpenConversation {
  const { underway, notes } = now
  switch (event.type) {
    case 'text':
      return { ...now, isAnswering: true, underway: { ...underway, text: underway.text + event.text } }
    case 'waiting': {
      const { id, question } = event
      return { ...now, underway: { ...underway, waiting: [...underway.waiting, { id, question }] } }
    }
    case 'result': {
      const { type: _type, ...result } = event
      const waiting = underway.waiting.filter(({ id }) => id !== result.id)
      const results = [...underway.results, { ...result, content: result.content.map((block) => ({ ...block })) }]
      return { ...now, underway: { ...underway, results, waiting } }
    }
    case 'trimmed':
    case 'tools left out':
    case 'skills left out':
      return { ...now, notes: [...notes, ...notesOf(event)] }
    case 'end':
      return { ...now, isAnswering: false, underway: nothing, notes: [...notes, ...notesOf(event)] }
    case 'failed':
      return { ...now, isAnswering: false, underway: nothing }
    default:
      return now
  }
}

function notesOf(remark: Remark): readonly string[] {
  switch (remark.type) {
    case 'trimmed':
      return [remark.rule]
    case 'tools left out':
      return [toolsLeftOut(remark)]
    case 'skills left out':
      return [`The model is not told of ${remark.count} skills: there are too many.`]
    case 'end':
      return remark.why === 'steps' ? ['It made as many steps as it may for one message. Say more to go on.'] : []
  }
}

function toolsLeftOut({ count, servers = [] }: Extract<Remark, { type: 'tools left out' }>): string {
  const of = servers.map((one) => `${formatNumber(one.count)} of ${one.server}`).join(', ')
  const hide = servers[0] && ` Hide what you do not use on the screen of ${servers[0].server}.`
  const told = `The model is not told of ${formatNumber(count)} tools: there are too many`
  return `${told}${of === '' ? '' : ` (${of})`}.${hide ?? ''}`
}

function spent(entries: readonly ChatEntry[]): readonly [tokens: number, cost: number] {
  let [all, cost] = [0, 0]
  for (const entry of entries) {
    if (entry.by !== 'model') continue
    all += entry.tokens.input + entry.tokens.output
    cost += entry.cost
  }
  return [all, cost]
}

function titleOf({ content: [first] }: Extract<ChatEntry, { by: 'person' }>): string {
  const text = first?.type === 'text' ? first.text : first?.type === 'prompt' ? `/${first.name}` : (first?.uri ?? '')
  return text.replaceAll(/\s+/g, ' ').trim().slice(0, 80)
}
