import { type ExitCode, exitCodes } from '../failure/exit-codes.ts'
import { usageFailure } from '../failure/failure.ts'
import type { Command, CommandContext, CommandNeeds, OptionDescriptions, Registry } from './command.ts'
import { type CommandLine, parseCommandLine } from './parse-command-line.ts'
import { refuseStrayWords } from './refuse-stray-words.ts'
import { everyCommandOptions } from './shared-options.ts'

/** Runs the command that a command line names. */
export async function runCommand(args: readonly string[], context: CommandContext): Promise<ExitCode> {
  const [name = '', ...rest] = args
  const command = await findCommand(name, context.commands)
  const known = { ...command.options, ...everyCommandOptions }
  const line = command.takesRest ? await parseOuter(rest, known) : await parseCommandLine(rest, known)
  if (line.options.help) return runCommand(['help', name], context)
  await refuseStrayWords(command, { ...line, isConnected: context.client !== undefined })
  await context.require(needsOf(command, line))
  const code = await command.run({ ...context, ...line } as Parameters<Command['run']>[0])
  return code ?? exitCodes.ok
}

/** The requirements of one line: those of its first word, else of the command. */
export function needsOf(
  { needs }: Pick<Command, 'needs'>,
  { words: [verb = ''] }: Pick<CommandLine, 'words'>,
): CommandNeeds {
  if (typeof needs === 'string') return needs
  return needs[Object.hasOwn(needs, verb) ? verb : ''] ?? needs['']
}

/** Reads the options that stand before another command line, which is left as it is. */
async function parseOuter(args: readonly string[], known: OptionDescriptions): Promise<CommandLine> {
  const inner = args.findIndex((arg) => !arg.startsWith('-'))
  const end = inner < 0 ? args.length : inner
  const { options } = await parseCommandLine(args.slice(0, end), known)
  return { options, words: args.slice(end), program: undefined }
}

/** The command of a name; a name near to one is not taken for it. */
export async function findCommand(name: string, commands: Registry): Promise<Command> {
  const load = Object.hasOwn(commands, name) ? commands[name] : undefined
  if (load) return load()
  const { nearName } = await import('@trunkline/mcp/json-schema')
  const near = nearName(name, Object.keys(commands))
  const guess = near === undefined ? '' : `; did you mean "${near}"?`
  throw usageFailure(`Cannot run "${name}": there is no such command${guess}`, 'trunkline --help lists the commands')
}
