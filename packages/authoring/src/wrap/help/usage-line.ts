import type { ProgramArgument } from '../description.ts'
import { inputName } from './input-name.ts'
import { type UsageToken, usageTokens } from './usage-tokens.ts'

/** Arguments that a usage line names. */
export interface Usage {
  readonly arguments: readonly ProgramArgument[]
  readonly endOfOptionsBefore?: string
}

/** Reads the usage of a help text; undefined when it has none. */
export function readUsage(help: string, program: readonly string[]): Usage | undefined {
  const lines = usageLines(help)
  if (lines.length === 0) return undefined
  const own = lines.filter((line) => commandWords(line, program) >= program.length)
  const forms = (own.length > 0 ? own : lines.slice(0, 1)).map((line) => readForm(line, program))
  const [first, ...others] = forms
  const fuller = others.find((form) => form.arguments.length > 0)
  // arguments of another form only are optional in this one
  const chosen = first && (first.arguments.length > 0 || !fuller) ? first : optional(fuller as Usage)
  const end = chosen.endOfOptionsBefore ?? (takesEndOfOptions(help) ? chosen.arguments[0]?.name : undefined)
  return {
    arguments: chosen.arguments.map((one) => (isNeeded(one, forms) ? one : withoutNeed(one))),
    ...(end !== undefined && { endOfOptionsBefore: end }),
  }
}

function optional(usage: Usage): Usage {
  return { ...usage, arguments: usage.arguments.map(withoutNeed) }
}

function withoutNeed({ required, ...argument }: ProgramArgument): ProgramArgument {
  return argument
}

/** True for an argument that every form of the command needs: a call may be meant for any of them. */
function isNeeded({ name }: ProgramArgument, forms: readonly Usage[]): boolean {
  return forms.every((form) => form.arguments.some((one) => one.name === name && one.required === true))
}

/** The lines after "usage:" and "or:", each with the lines that continue it. */
function usageLines(help: string): readonly string[] {
  const all = help.split('\n')
  const at = all.findIndex((line) => /^\s*usage:?(?:\s|$)/i.test(line))
  if (at < 0) return []
  const found: string[] = []
  const first = (all[at] ?? '').replace(/^\s*usage:?\s*/i, '')
  if (first !== '') found.push(first)
  for (const line of all.slice(at + 1, at + 30)) {
    const alternative = /^\s+or:\s*(.*)$/.exec(line)?.[1]
    if (line.trim() === '' || !/^\s/.test(line)) break
    if (alternative !== undefined) found.push(alternative)
    // some programs repeat their name for each form
    else if (first === '' || line.trim().split(/\s+/)[0] === first.split(/\s+/)[0]) found.push(line.trim())
    else found.push(`${found.pop()} ${line.trim()}`)
  }
  return found
}

/** Number of words in a usage line that are the program, whatever it calls itself, and its command. */
function commandWords(line: string, [, ...command]: readonly string[]): number {
  const words = line.split(/\s+/)
  let at = 1
  for (const word of command) if (words[at] === word) at += 1
  return at
}

function readForm(line: string, program: readonly string[]): Usage {
  const rest = line.split(/\s+/).slice(Math.max(commandWords(line, program), 1))
  const found = new Map<string, ProgramArgument>()
  let endOfOptionsBefore: string | undefined
  let isAfterEnd = false
  for (const { text, isMany, isOptional } of usageTokens(rest.join(' '))) {
    if (text === '--') {
      isAfterEnd = true
      continue
    }
    const name = argumentName({ text, isMany, isOptional })
    if (name === undefined) continue
    const before = found.get(name)
    found.set(name, {
      name,
      ...((isMany || before !== undefined) && { multiple: true }),
      ...((before ? before.required : !isOptional) && { required: true }),
    })
    if (isAfterEnd) endOfOptionsBefore ??= name
  }
  return { arguments: [...found.values()], ...(endOfOptionsBefore !== undefined && { endOfOptionsBefore }) }
}

function argumentName({ text }: UsageToken): string | undefined {
  const word = /^<([^<>]+)>$/.exec(text)?.[1] ?? text
  return /^[A-Za-z][\w .:/-]*$/.test(word) && !notArguments.test(word) ? inputName(word) : undefined
}

const notArguments = /^(?:options?|flags?|global[ _-]?(?:options?|flags?)|command|subcommand|cmd|args?|arguments?)$/i

/** Programs that parse as GNU's do take `--` as the end of options, and say little else in common. */
function takesEndOfOptions(help: string): boolean {
  return /display this help (?:text )?and exit/i.test(help) || /show this help message and exit/i.test(help)
}
