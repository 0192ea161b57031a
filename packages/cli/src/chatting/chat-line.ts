import { promptInput, type SaidInput, saidInput, wordsOf } from '@trunkline/host/text'
import { nearName } from '@trunkline/mcp/json-schema'
import { usageFailure } from '../failure/failure.ts'

export { type SaidInput, saidInput }

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

/** Reads a line: `/command`, `/prompt name=value text`, or text; `@` and an address attach a resource. */
export function readChatLine(line: string): ChatLine {
  const trimmed = line.trim()
  if (trimmed === '') return undefined
  if (!trimmed.startsWith('/')) return { input: saidInput(trimmed) }
  const [first = '', ...words] = wordsOf(trimmed.slice(1))
  if (Object.hasOwn(chatCommands, first)) return { command: first as ChatCommandName, words }
  if (first === '') throw usageFailure('Cannot read "/": write a command or a prompt after it, or /help')
  // prompts of servers have the name of their server in front
  if (!first.includes('__')) throw unknownCommand(first)
  return { input: promptInput(trimmed.slice(1)) }
}

function unknownCommand(word: string) {
  const near = nearName(word, Object.keys(chatCommands))
  const guess = near === undefined ? '/help lists what there is, and Tab completes prompts' : `Did you mean /${near}?`
  return usageFailure(
    `Cannot find "/${word}": there is no such command, and prompts are written /SERVER__PROMPT`,
    guess,
  )
}
