import type { ProgramTool } from '../description.ts'
import { readOptions } from './option-lines.ts'
import { readUsage } from './usage-line.ts'

/** Program and command that a help text describes. */
export interface HelpSubject {
  readonly name: string
  /** The program, and the command of it. */
  readonly program: readonly string[]
  readonly command: readonly string[]
  /** Summary from the list of commands. */
  readonly summary?: string
}

/** Makes a tool of the help text of a program or of one of its commands. */
export function toolFromHelp(help: string, { name, program, command, summary }: HelpSubject): ProgramTool {
  const options = readOptions(help)
  const usage = readUsage(help, [...program.slice(0, 1), ...command])
  const taken = new Set(options.map((option) => option.name))
  const rename = (member: string): string => (taken.has(member) ? `${member}_argument` : member)
  const own = usage?.arguments.map((argument) => ({ ...argument, name: rename(argument.name) })) ?? []
  const end = usage?.endOfOptionsBefore
  const described = summary ?? firstSentence(help)
  return {
    name,
    ...(described !== undefined && { description: described }),
    ...(command.length > 0 && { command }),
    ...(options.length > 0 && { options }),
    ...(own.length > 0 && { arguments: own }),
    ...(end !== undefined && { endOfOptionsBefore: rename(end) }),
  }
}

/** Summary of a program: the first line of its help that is neither usage nor list. */
function firstSentence(help: string): string | undefined {
  const lines = help.split('\n').map((line) => line.trimEnd())
  const found = lines.find((line) => /^[A-Z][^:]{10,200}\.?$/.test(line) && !/^usage/i.test(line))
  return found?.slice(0, 300)
}
