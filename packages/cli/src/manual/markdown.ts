import { type Command, commandGroups, type OptionDescriptions } from '../command/command.ts'
import { optionSyntax } from '../command/help.ts'
import { everyCommandOptions, serverOptions } from '../command/shared-options.ts'
import { exitCodeMeanings, exitCodes } from '../failure/exit-code.ts'

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
    '`trunkline` talks to any MCP server: one at a URL, or a program that it starts, which follows `--`. `npx trunkline` runs it in this repository.',
    '## What every command does',
    [
      '- Results go to stdout, everything else to stderr. Tables are for people; colours are for terminals, and never with `NO_COLOR`.',
      '- `--json` prints one JSON document, named as in the protocol: `{ "tools": […] }` for `tools`, the result of `tools/call` for `call`. What comes over time (`watch`, `trace`) is one line of JSON each. What each command prints is said with it; members may be added, and none changes its meaning.',
      '- With `--json` an error is one line on stderr: `{ "error": { "code", "exit", "message", "hint", "data", "warnings" } }`, of which the first three are always there. Warnings of a command that went well are lines of the form `{ "warning": { "message" } }`.',
      '- Escapes, control characters, and characters that hide or reorder others are spelled out wherever they come from a server; in JSON as `\\u` escapes, so that nothing is lost.',
      '- Ctrl-C and `--timeout` cancel what is under way at the server before the command ends. A call is never sent twice.',
      '- In a terminal the command asks for what is missing, and answers what the server asks: forms, pages to visit, requests to a model. `--no-input` and `--json` turn that off.',
    ].join('\n'),
    '### Exit codes',
    ['| code | meaning |', '| ---: | --- |', ...codes].join('\n'),
    '### Options of every command',
    optionTable(everyCommandOptions),
    '### Options of every command that talks to a server',
    optionTable(serverOptions),
  ]
}

function sectionOf({ name, summary, usage, details = [], options, json, examples }: Command): readonly string[] {
  const own = Object.fromEntries(Object.entries(options).filter(([option]) => !Object.hasOwn(serverOptions, option)))
  return [
    `### ${name}`,
    `${summary}.`,
    fenced(usage.map((form) => `trunkline ${name} ${form}`.trimEnd())),
    ...details,
    ...(Object.keys(own).length > 0 ? [optionTable(own)] : []),
    `With \`--json\`: ${json}.`,
    fenced(examples.flatMap(({ line, shows }) => [`# ${shows}`, line])),
  ]
}

function fenced(lines: readonly string[]): string {
  return ['```sh', ...lines, '```'].join('\n')
}

function optionTable(options: OptionDescriptions): string {
  const rows = Object.entries(options).map(([name, option]) => {
    const choices = option.choices ? ` (${option.choices.join(', ')})` : ''
    return `| \`${optionSyntax(name, option)}\` | ${option.summary}${choices} |`
  })
  return ['| option | what it does |', '| --- | --- |', ...rows].join('\n')
}
