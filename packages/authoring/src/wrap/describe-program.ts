import { basename } from 'node:path'
import { AuthoringError } from '../failure/authoring-error.ts'
import type { ProgramDescription, ProgramTool } from './description.ts'
import { type ListedCommand, readCommands } from './help/command-list.ts'
import { toolFromHelp } from './help/parse-help.ts'
import { type HelpPlace, probeHelp } from './probe-help.ts'

/** Limit of commands that become tools; a model finds nothing among more. */
const maxCommands = 200
const atOnce = 4

/** Describes a program by what it says about itself: one tool for it, or one for each of its commands. */
export async function describeProgram(program: readonly string[], place: HelpPlace): Promise<ProgramDescription> {
  const [command = ''] = program
  const help = await probeHelp(program, ['--help', '-h'], place)
  if (help === undefined)
    throw new AuthoringError(
      `Cannot tell what "${command}" takes: it prints no help when it is started with --help`,
      'Describe it yourself: trunkline wrap --help says how',
    )
  const name = toolName(basename(command))
  const commands = readCommands(help).slice(0, maxCommands)
  const tools =
    commands.length > 1
      ? await commandTools(program, commands, place)
      : [toolFromHelp(help, { name, program, command: [] })]
  return { program, name, tools }
}

async function commandTools(
  program: readonly string[],
  commands: readonly ListedCommand[],
  place: HelpPlace,
): Promise<readonly ProgramTool[]> {
  const tools: ProgramTool[] = []
  // all commands take the help flag that one of them takes
  const flags = await helpFlags([...program, commands[0]?.name ?? ''], place)
  for (let at = 0; at < commands.length; at += atOnce) {
    const some = commands.slice(at, at + atOnce).map(async ({ name, summary }) => {
      const help = (await probeHelp([...program, name], flags, place)) ?? ''
      return toolFromHelp(help, { name: toolName(name), program, command: [name], summary })
    })
    tools.push(...(await Promise.all(some)))
  }
  return tools
}

async function helpFlags(program: readonly string[], place: HelpPlace): Promise<readonly string[]> {
  return (await probeHelp(program, ['--help'], place)) === undefined ? ['-h'] : ['--help', '-h']
}

function toolName(written: string): string {
  return (
    written
      .replace(/\.(?:exe|[cm]?[jt]s|sh|py)$/, '')
      .replace(/[^A-Za-z0-9_-]+/g, '_')
      .slice(0, 64) || 'run'
  )
}
