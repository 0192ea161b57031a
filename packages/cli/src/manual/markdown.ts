import { type Command, commandGroups, type OptionDescriptions } from '../command/command.ts'
import { optionSyntax, ownOptions, takesServerOptions } from '../command/help.ts'
import { everyCommandOptions, serverOptions } from '../command/shared-options.ts'
import { exitCodeMeanings, exitCodes } from '../failure/exit-codes.ts'

/** The page about every command, for `docs/`. */
export function markdownManual(commands: readonly Command[]): string {
  const groups = Object.entries(commandGroups).flatMap(([group, title]) => {
    const members = commands.filter((command) => command.group === group)
    return members.length === 0 ? [] : [`## ${title}`, ...members.flatMap(sectionOf)]
  })
  return `${[...opening(), ...groups].join('\n\n')}\n`
}

function opening(): readonly string[] {
  const codes = Object.entries(exitCodes).map(
    ([name, code]) => `| ${code} | ${exitCodeMeanings[name as keyof typeof exitCodes]} |`,
  )
  return [
    '<!-- Generated from the commands by tools/check-command-manual.ts --update; edit those instead. -->',
    '# The command',
    '`trunkline` runs your MCP servers behind one endpoint, and talks to any MCP server: a configured one by its name, one at a URL, or a program after `--`. In this repository, run it with `npx trunkline`.',
    '## What every command does',
    [
      '- Results go to stdout, everything else to stderr. Without `--json` they are text for people. Colours appear only in a terminal, and never when `NO_COLOR` is set.',
      '- `--json` prints one JSON document with the names of the protocol: `{ "tools": […] }` for `tools`, the result of `tools/call` for `call`. Commands that report events (`watch`, `trace`) print one line of JSON per event. The shape is given with each command. Later versions may add members; existing members keep their meaning.',
      '- With `--json` an error is one line on stderr: `{ "error": { "code", "exit", "message", "hint", "data", "warnings" } }`, where the first three members are always present. When a command succeeds, each of its warnings is a line `{ "warning": { "message" } }`.',
      '- Escapes, control characters, and characters that hide or reorder text are made visible when they come from a server. In JSON they are written as `\\u` escapes, so nothing is lost.',
      '- Ctrl-C and `--timeout` cancel the request at the server before the command ends. A call is never sent twice.',
      '- In a terminal the command asks for missing arguments, and you can answer what a server asks: forms, pages to visit, requests to a model. `--no-input` and `--json` turn this off.',
      '- Unknown commands, options, names and extra words are refused. The message suggests the nearest known name, which is never used instead.',
    ].join('\n'),
    '### Exit codes',
    ['| code | meaning |', '| ---: | --- |', ...codes].join('\n'),
    '### Options of every command',
    optionTable(everyCommandOptions),
    '### Options of every command that talks to a server',
    optionTable(serverOptions),
  ]
}

function sectionOf(command: Command): readonly string[] {
  const { name, summary, usage, details = [], json, examples } = command
  const own = ownOptions(command)
  return [
    `### ${name}`,
    `${summary}.`,
    fenced(usage.map((form) => `trunkline ${name} ${form}`.trimEnd())),
    ...details,
    ...(Object.keys(own).length > 0 ? [optionTable(own)] : []),
    ...(takesServerOptions(command) ? [serverOptionsLine] : []),
    `With \`--json\`: ${json}.`,
    fenced(examples.flatMap(({ line, shows }) => [`# ${shows}`, line])),
  ]
}

const serverOptionsLine = 'Also takes the [options for a server](#options-of-every-command-that-talks-to-a-server).'

function fenced(lines: readonly string[]): string {
  return ['```sh', ...lines, '```'].join('\n')
}

function optionTable(options: OptionDescriptions): string {
  const rows = Object.entries(options).map(([name, option]) => {
    const choices = option.choices ? ` (${option.choices.join(', ')})` : ''
    // a bar would end the cell
    return `| \`${optionSyntax(name, option).replaceAll('|', '\\|')}\` | ${option.summary}${choices} |`
  })
  return ['| option | what it does |', '| --- | --- |', ...rows].join('\n')
}
