import { usageFailure } from '../failure/failure.ts'

/** What somebody says in a conversation. */
export interface SaidInput {
  readonly text?: string
  readonly attach?: string[]
  readonly prompt?: { readonly name: string; readonly arguments?: { [name: string]: string } }
}

/** A line of a conversation: a command of the chat itself, or something to say. */
export type ChatLine =
  | { readonly command: ChatCommandName; readonly words: readonly string[] }
  | { readonly input: SaidInput }
  | undefined

/** The commands of the chat itself; any other word after a slash is a prompt of a server. */
export const chatCommands = {
  help: 'what can be typed here',
  new: 'begins another conversation',
  resume: 'lists saved conversations, or goes on with one of them by its number',
  model: 'lists the models, or begins a conversation with one of them',
  tokens: 'what this conversation and the last day took',
  exit: 'ends, as Ctrl-D does',
} as const

export type ChatCommandName = keyof typeof chatCommands

const attached = /^@[a-z][a-z0-9+.-]*:\S+$/i
const argument = /^([^\s=]+)=([\s\S]*)$/

/** Reads a line: `/command`, `/prompt name=value text`, or text; `@` and an address attach a resource. */
export function readChatLine(line: string): ChatLine {
  const trimmed = line.trim()
  if (trimmed === '') return undefined
  if (!trimmed.startsWith('/')) return { input: saidInput(trimmed) }
  const [first = '', ...words] = wordsOf(trimmed.slice(1))
  if (Object.hasOwn(chatCommands, first)) return { command: first as ChatCommandName, words }
  if (first === '') throw usageFailure('Cannot read "/": write a command or a prompt after it, or /help')
  const given = words.map((word) => argument.exec(word)).filter((found) => found !== null)
  const rest = words.filter((word) => !argument.test(word)).join(' ')
  const args = Object.fromEntries(given.map(([, name = '', value = '']) => [name, value]))
  return { input: { ...saidInput(rest), prompt: { name: first, arguments: args } } }
}

/** Text with what it attaches taken apart. */
export function saidInput(text: string): SaidInput {
  const attach = text
    .split(/\s+/)
    .filter((word) => attached.test(word))
    .map((word) => word.slice(1))
  return { ...(text !== '' && { text }), ...(attach.length > 0 && { attach: [...new Set(attach)] }) }
}

/** Words apart at spaces; quotes keep a value together. */
function wordsOf(text: string): readonly string[] {
  const found = text.match(/(?:[^\s"]|"(?:[^"\\]|\\.)*")+/g) ?? []
  return found.map((word) =>
    word.replaceAll(/"((?:[^"\\]|\\.)*)"/g, (_, inner: string) => inner.replaceAll('\\"', '"')),
  )
}
