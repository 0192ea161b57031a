import { type Command, commandGroups, type OptionDescriptions } from '../command/command.ts'
import { optionSyntax, ownOptions } from '../command/help.ts'
import { everyCommandOptions, serverOptions } from '../command/shared-options.ts'
import { exitCodeMeanings, exitCodes } from '../failure/exit-codes.ts'

/** The same manual for `man`. */
export function manPage(commands: readonly Command[], version: string): string {
  const groups = Object.entries(commandGroups).flatMap(([group, title]) => {
    const members = commands.filter((command) => command.group === group)
    return members.length === 0 ? [] : [`.SH ${escaped(title.toUpperCase())}`, ...members.flatMap(sectionOf)]
  })
  const codes = Object.entries(exitCodes).flatMap(([name, code]) => [
    '.TP',
    `.B ${code}`,
    escaped(exitCodeMeanings[name as keyof typeof exitCodes]),
  ])
  const lines = [
    `.TH TRUNKLINE 1 "" "trunkline ${version}" "Trunkline"`,
    '.SH NAME',
    'trunkline \\- the Model Context Protocol from the command line',
    '.SH SYNOPSIS',
    '.B trunkline',
    '.I command',
    '[options]',
    ...groups,
    '.SH OPTIONS OF EVERY COMMAND',
    ...optionsOf(everyCommandOptions),
    '.SH OPTIONS OF EVERY COMMAND THAT TALKS TO A SERVER',
    ...optionsOf(serverOptions),
    '.SH EXIT STATUS',
    ...codes,
  ]
  return `${lines.join('\n')}\n`
}

function sectionOf(command: Command): readonly string[] {
  const { name, summary, usage, details = [], json, examples } = command
  const own = ownOptions(command)
  return [
    `.SS ${escaped(name)}`,
    `${escaped(summary)}.`,
    ...literal(usage.map((form) => `trunkline ${name} ${form}`.trimEnd())),
    ...details.flatMap((paragraph) => ['.PP', escaped(paragraph)]),
    ...optionsOf(own),
    '.PP',
    escaped(`With --json: ${json.replaceAll('`', '')}.`),
    ...literal(examples.flatMap(({ line, shows }) => [`# ${shows}`, line])),
  ]
}

function optionsOf(options: OptionDescriptions): readonly string[] {
  return Object.entries(options).flatMap(([name, option]) => {
    const choices = option.choices ? ` (${option.choices.join(', ')})` : ''
    return ['.TP', `.B ${escaped(optionSyntax(name, option))}`, escaped(`${option.summary}${choices}`)]
  })
}

function literal(lines: readonly string[]): readonly string[] {
  return ['.PP', '.nf', ...lines.map(escaped), '.fi']
}

/** Text that means itself: a backslash, a hyphen, and what begins a line with a dot or a quote do not. */
function escaped(text: string): string {
  return text
    .replaceAll('\\', '\\e')
    .replaceAll('-', '\\-')
    .replaceAll('…', '...')
    .replace(/^(?=[.'])/, '\\&')
}
