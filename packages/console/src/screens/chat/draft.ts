import type { RouteInput } from '@trunkline/host/page-api'
import { promptInput, saidInput } from '@trunkline/host/text'
import type { ChatEntry } from '../../host/conversation.ts'

/** Message to send. */
export type ChatMessage = Omit<RouteInput<'sendChat'>, 'id'>

/** Text in the field, and attachments. */
export interface Draft {
  readonly text: string
  readonly attach: readonly string[]
}

export const emptyDraft: Draft = { text: '', attach: [] }

const key = 'trunkline-chat-drafts'
const maxDrafts = 20
const maxDraftChars = 100_000

/** Text typed and not sent; it outlives a reload of the page, and ends with the tab. */
export function keptTyped(of: string): Draft {
  return drafts()[of] ?? emptyDraft
}

export function keepTyped(of: string, draft: Draft): void {
  const { [of]: _before, ...others } = drafts()
  const isEmpty = draft.text === '' && draft.attach.length === 0
  if (!isEmpty && draft.text.length > maxDraftChars) return
  const all = Object.entries(isEmpty ? others : { ...others, [of]: draft }).slice(-maxDrafts)
  sessionStorage.setItem(key, JSON.stringify(Object.fromEntries(all)))
}

function drafts(): { readonly [of: string]: Draft } {
  return JSON.parse(sessionStorage.getItem(key) ?? '{}')
}

/** Message of a draft; a line that begins with the name of a prompt uses it. */
export function messageOf({ text, attach }: Draft, prompts: ReadonlySet<string>): ChatMessage {
  const said = text.trim()
  const [first = ''] = said.split(/\s/)
  const input = first.startsWith('/') && prompts.has(first.slice(1)) ? promptInput(said.slice(1)) : saidInput(said)
  const all = [...new Set([...attach, ...(input.attach ?? [])])]
  return { ...input, ...(all.length > 0 && { attach: all }) }
}

/** Draft left after sending: text typed meanwhile, be it behind the sent text or in its place. */
export function afterSent(sent: Draft, now: Draft): Draft {
  const text = now.text.startsWith(sent.text) ? now.text.slice(sent.text.length) : now.text
  return { text: text.trimStart(), attach: now.attach.filter((uri) => !sent.attach.includes(uri)) }
}

/** The last message before this place, to be sent once more; what came after it goes. */
export function sentAgain(entries: readonly ChatEntry[], before: number): ChatMessage | undefined {
  const from = entries.findLastIndex((one, at) => at < before && one.by === 'person')
  const person = entries[from]
  if (person?.by !== 'person') return undefined
  const names = person.content.flatMap((part) => (part.type === 'prompt' ? [part.name] : []))
  return { ...messageOf(draftOfEntry(person), new Set(names)), from }
}

/** Draft from a sent message, to edit it. */
export function draftOfEntry({ content }: Extract<ChatEntry, { by: 'person' }>): Draft {
  const lines: string[] = []
  const attach: string[] = []
  for (const part of content) {
    if (part.type === 'text') lines.push(part.text)
    else if (part.type === 'resource') attach.push(part.uri)
    else {
      const given = Object.entries(part.arguments ?? {}).map(([name, value]) => ` ${name}=${quoted(value)}`)
      lines.push(`/${part.name}${given.join('')}`)
    }
  }
  return { text: lines.join(' '), attach }
}

function quoted(value: string): string {
  return /[\s"]/.test(value) ? `"${value.replaceAll('"', '\\"')}"` : value
}
