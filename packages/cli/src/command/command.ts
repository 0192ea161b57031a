import type { Client } from '@trunkline/mcp/client'
import type { ExitCode } from '../failure/exit-codes.ts'
import type { Output } from '../output/output.ts'
import type { TargetResolver } from '../session/target.ts'
import type { WireListener } from '../session/wire-tap.ts'
import type { Terminal } from '../terminal/terminal.ts'

/** One option of a command, as help, completion and the manual show it. */
export interface OptionDescription {
  readonly type: 'boolean' | 'string'
  readonly summary: string
  /** One letter, for `-q` beside `--quiet`. */
  readonly short?: string
  /** Name of the value in help: `SECONDS`. */
  readonly value?: string
  /** True if it may be given more than once. */
  readonly multiple?: boolean
  /** The only values it takes. */
  readonly choices?: readonly string[]
}

/** The options of a command by their long names. */
export type OptionDescriptions = { readonly [name: string]: OptionDescription }

type ValueOf<Option extends OptionDescription> = Option extends { readonly multiple: true }
  ? readonly string[]
  : Option extends { readonly type: 'boolean' }
    ? boolean
    : string

/** Values given for the options of a command. */
export type OptionValues<Known extends OptionDescriptions> = { readonly [Name in keyof Known]?: ValueOf<Known[Name]> }

/** A line that can be typed, and what it shows. */
export interface Example {
  readonly line: string
  readonly shows: string
}

/** The headings under which `--help` lists commands. */
export const commandGroups = {
  host: 'Your servers, behind one endpoint',
  servers: 'Any server (a URL, or a program after --)',
  authors: 'For authors of servers',
  own: 'About this command',
} as const

/**
 * Requirements of a command: none; a person, so that neither a caller nor a server of the host may have started it; or a
 * person at an interactive terminal.
 */
export type CommandNeeds = 'nothing' | 'person' | 'terminal'

/** The requirements of a command whose forms differ, by their first word; '' is for all others, '?' for answering what it asks. */
export type NeedsByForm = {
  readonly '': CommandNeeds
  readonly '?'?: 'terminal'
  readonly [verb: string]: CommandNeeds
}

/** All that help, completion and the manual say of a command. */
export interface CommandDescription<Known extends OptionDescriptions = OptionDescriptions> {
  readonly name: string
  readonly group: keyof typeof commandGroups
  readonly needs: CommandNeeds | NeedsByForm
  /** One line, beginning with a verb. */
  readonly summary: string
  /** Words after the name, one line per form. */
  readonly usage: readonly string[]
  /** Paragraphs of help beyond the options. */
  readonly details?: readonly string[]
  readonly options: Known
  /** Description of the `--json` output, to follow "With --json:"; shapes stand between backticks. */
  readonly json: string
  /** Set if the words that follow, except the options of every command, are a command line of its own. */
  readonly takesRest?: boolean
  readonly examples: readonly Example[]
  /** Message for a word too many, for commands whose words may be secret. */
  readonly strayWord?: string
}

/** Loaders of the commands, by name. */
export type Registry = { readonly [name: string]: () => Promise<Command> }

/** Context of every command, whatever started it. */
export interface CommandContext {
  readonly commands: Registry
  readonly output: Output
  readonly terminal: Terminal
  /** Aborts when the user wants out. */
  readonly signal: AbortSignal
  /** Finds servers by the names they are configured under. */
  readonly resolveTarget: TargetResolver
  /** Sees every message that goes to and comes from servers. */
  readonly onWire?: WireListener
  /** Sees what the program of a server writes to stderr. */
  readonly onStderr?: (text: string) => void
  /** Refuses to go on where what a command needs is not there. */
  require(needs: CommandNeeds): Promise<void>
  /** The server that all commands talk to, where one was opened for many. */
  readonly client?: Client
  /** The name of that server, where it is one of the host. */
  readonly clientOf?: string | undefined
}

/** One run of a command: the context, and what was typed. */
export interface Invocation<Known extends OptionDescriptions = OptionDescriptions> extends CommandContext {
  readonly options: OptionValues<Known>
  /** Words before `--` that are not options. */
  readonly words: readonly string[]
  /** Words after `--`. */
  readonly program: readonly string[] | undefined
}

/** A command: what it says of itself, and what it does. */
export interface Command<Known extends OptionDescriptions = OptionDescriptions> extends CommandDescription<Known> {
  /** Ends with 0 unless it returns another code or throws. */
  run(invocation: Invocation<Known>): Promise<ExitCode | undefined>
}

/** Checks the types of a command: what `run` reads of the options is what they are. */
export function defineCommand<const Known extends OptionDescriptions>(command: Command<Known>): Command {
  return command as unknown as Command
}
