import type { Command, OptionDescriptions, Registry } from '../command/command.ts'
import { everyCommandOptions } from '../command/shared-options.ts'
import type { Candidate, Completing } from './completing.ts'
import { serverCandidates } from './server-candidates.ts'
import { usageCandidates } from './usage-candidates.ts'

/** Candidates at the cursor; the first of the words is the command itself. */
export async function candidatesFor(words: readonly string[], completing: Completing): Promise<readonly Candidate[]> {
  const [, name = '', ...rest] = words
  const current = words.at(-1) ?? ''
  const found = await everyCandidate(name, rest, completing)
  // a server's tool names must not become a command of the shell
  return found.filter(({ text }) => text.startsWith(current) && text !== current && isPlain(text))
}

async function everyCandidate(
  name: string,
  rest: readonly string[],
  completing: Completing,
): Promise<readonly Candidate[]> {
  const { commands } = completing
  if (rest.length === 0) return describedCommands(commands)
  if (rest.slice(0, -1).includes('--')) return []
  if (name === 'help' || name === 'trace') {
    return rest.length === 1 ? describedCommands(commands) : everyCandidate(rest[0] ?? '', rest.slice(1), completing)
  }
  const command = Object.hasOwn(commands, name) ? await commands[name]?.() : undefined
  if (command === undefined) return []
  const current = rest.at(-1) ?? ''
  if (current.startsWith('-')) return describedOptions({ ...command.options, ...everyCommandOptions })
  const choices = await choicesAfter(command, rest)
  if (choices) return choices
  const words = wordsOf(command, rest)
  const named = await usageCandidates(command, words, completing)
  return named.length > 0 ? named : serverCandidates(name, words, completing)
}

async function describedCommands(commands: Registry): Promise<readonly Candidate[]> {
  const all = await Promise.all(Object.values(commands).map((load) => load()))
  return all.map(({ name, summary }) => ({ text: name, about: summary }))
}

function describedOptions(options: OptionDescriptions): readonly Candidate[] {
  return Object.entries(options).map(([name, { summary }]) => ({ text: `--${name}`, about: summary }))
}

/** The values of an option that stands before the cursor, if it takes one. */
async function choicesAfter({ options }: Command, rest: readonly string[]): Promise<readonly Candidate[] | undefined> {
  const before = rest.at(-2) ?? ''
  const option = before.startsWith('--') ? options[before.slice(2)] : undefined
  if (option?.type !== 'string') return undefined
  return (option.choices ?? []).map((text) => ({ text, about: option.summary }))
}

/** Words that are neither options nor their values. */
function wordsOf({ options }: Command, rest: readonly string[]): readonly string[] {
  const takesValue = (word: string | undefined): boolean =>
    word?.startsWith('--') === true && options[word.slice(2)]?.type === 'string'
  return rest.filter((word, at) => !word.startsWith('-') && !takesValue(rest[at - 1]))
}

function isPlain(text: string): boolean {
  return /^[\w./:@%+=,{}-]+$/.test(text)
}
