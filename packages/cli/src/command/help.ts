import { type Line, styled } from '../output/span.ts'
import type { Command, OptionDescription, OptionDescriptions } from './command.ts'
import { commandGroups } from './command.ts'
import { everyCommandOptions, serverOptions } from './shared-options.ts'

/** Help of one command: `trunkline COMMAND --help`. */
export function commandHelp(command: Command): readonly Line[] {
  const { name, summary, usage, details = [], options, json, examples } = command
  return [
    summary,
    '',
    styled('strong', 'Usage'),
    ...usage.map((form) => `  trunkline ${name} ${form}`.trimEnd()),
    ...details.flatMap((paragraph) => ['', ...wrapped(paragraph, 100)]),
    '',
    styled('strong', 'Options'),
    ...optionLines({ ...options, ...everyCommandOptions }),
    '',
    ...wrapped(`With --json: ${json.replaceAll('`', '')}`, 100),
    '',
    styled('strong', 'Examples'),
    ...examples.flatMap(({ line, shows }): Line[] => [styled('faint', `  # ${shows}`), `  ${line}`]),
  ]
}

/** Help of all commands: `trunkline --help`. */
export function overview(commands: readonly Command[]): readonly Line[] {
  const width = Math.max(...commands.map(({ name }) => name.length))
  const groups = Object.entries(commandGroups).flatMap(([group, title]): Line[] => {
    const members = commands.filter((command) => command.group === group)
    if (members.length === 0) return []
    const lines = members.map(({ name, summary }): Line => ['  ', styled('name', name.padEnd(width)), `  ${summary}`])
    return ['', styled('strong', title), ...lines]
  })
  return [
    'The Model Context Protocol from the command line',
    '',
    styled('strong', 'Usage'),
    '  trunkline COMMAND [OPTIONS]',
    ...groups,
    '',
    // last, where a terminal that scrolls still shows it
    styled('strong', 'Start here'),
    ...firstSteps.map(([line, shows]): Line => ['  ', styled('name', line.padEnd(24)), `  ${shows}`]),
    '',
    'trunkline COMMAND --help shows the options of a command, with examples.',
  ]
}

const firstSteps = [
  ['trunkline init', 'takes over the servers that your editors have, after one review'],
  ['trunkline install cursor', 'connects an editor to them, and "uninstall" puts its file back'],
  ['trunkline open', 'shows them in your browser'],
] as const

/** The options that the manual lists with a command; those of every command that talks to a server are listed once. */
export function ownOptions({ options }: Command): OptionDescriptions {
  if (!takesServerOptions({ options })) return options
  return Object.fromEntries(Object.entries(options).filter(([name]) => !Object.hasOwn(serverOptions, name)))
}

/** True if a command takes every server option. */
export function takesServerOptions({ options }: Pick<Command, 'options'>): boolean {
  return Object.keys(serverOptions).every((name) => Object.hasOwn(options, name))
}

/** Syntax of an option: `-q, --quiet`, `--timeout SECONDS`. */
export function optionSyntax(name: string, { short, value, type }: OptionDescription): string {
  const long = type === 'string' ? `--${name} ${value ?? 'VALUE'}` : `--${name}`
  return short === undefined ? long : `-${short}, ${long}`
}

function optionLines(options: OptionDescriptions): readonly Line[] {
  const rows = Object.entries(options).map(([name, option]) => [optionSyntax(name, option), option] as const)
  const width = Math.max(...rows.map(([syntax]) => syntax.length))
  return rows.map(([syntax, { summary, choices }]): Line => {
    const values = choices ? ` (${choices.join(', ')})` : ''
    return ['  ', styled('name', syntax.padEnd(width)), `  ${summary}${values}`]
  })
}

/** A paragraph in lines of at most so many characters. */
export function wrapped(paragraph: string, width: number): readonly string[] {
  const lines: string[] = []
  let line = ''
  for (const word of paragraph.split(' ')) {
    if (line !== '' && line.length + 1 + word.length > width) {
      lines.push(line)
      line = word
    } else line = line === '' ? word : `${line} ${word}`
  }
  return [...lines, line]
}
