import type { Fields, ToolAnnotations } from '@trunkline/mcp'

/** The kinds of values that an option of a program takes; a `flag` takes none. */
export const optionTypes = ['flag', 'text', 'number', 'integer'] as const

/** Forms of an option with its value: `--name=value`, `--name value`, `-nvalue`. */
export const valueForms = ['equals', 'separate', 'joined'] as const

/** One option of a program, as a member of a tool's arguments. */
export interface ProgramOption {
  readonly name: string
  /** Flag as the program takes it: `--max-count`, `-n`. */
  readonly flag: string
  readonly description?: string
  /** @default flag */
  readonly type?: (typeof optionTypes)[number]
  /** The only values it takes. */
  readonly choices?: readonly string[]
  /** True if it may stand alone although it takes a value. @default false */
  readonly valueOptional?: boolean
  /** @default false */
  readonly multiple?: boolean
  /** @default false */
  readonly required?: boolean
  /** @default equals for `--name`, separate for `-n` */
  readonly form?: (typeof valueForms)[number]
}

/** Something that a program takes by its place. */
export interface ProgramArgument {
  readonly name: string
  readonly description?: string
  readonly choices?: readonly string[]
  /** @default false */
  readonly multiple?: boolean
  /** @default false */
  readonly required?: boolean
}

/** Formats of stdout: as it is, or read as a value for structured content. */
export const outputKinds = ['auto', 'text', 'json', 'json-lines', 'csv'] as const

/** One tool: a program with some first words, and what may follow them. */
export interface ProgramTool {
  readonly name: string
  readonly title?: string
  readonly description?: string
  /** The words after the program's own. @default none */
  readonly command?: readonly string[]
  readonly options?: readonly ProgramOption[]
  readonly arguments?: readonly ProgramArgument[]
  /** The argument before which `--` is put, so that it and what follows cannot be options. */
  readonly endOfOptionsBefore?: string
  /** True if callers may give text for stdin. @default false */
  readonly stdin?: boolean
  /** The exit codes that are no failure; `grep` ends with 1 when nothing was found. @default only 0 */
  readonly okExitCodes?: readonly number[]
  /** @default auto */
  readonly output?: (typeof outputKinds)[number]
  /** Schema of the value that `output` reads from stdout. */
  readonly outputSchema?: Fields
  readonly annotations?: ToolAnnotations
  /** @default that of the file */
  readonly timeoutSeconds?: number
  /** The signals that callers may send to it while it runs. @default none */
  readonly signals?: readonly string[]
  /** True to run the program in a terminal. @default that of the file */
  readonly tty?: boolean
}

/** A resource whose contents a program prints; variables of a template stand in the command as `{name}`. */
export interface ProgramResource {
  readonly uri: string
  readonly name?: string
  readonly description?: string
  readonly mimeType?: string
  readonly command: readonly string[]
}

/** A prompt: text in which `{name}` stands for an argument. */
export interface DescribedPrompt {
  readonly name: string
  readonly description?: string
  readonly arguments?: readonly { readonly name: string; readonly description?: string; readonly required?: boolean }[]
  readonly text: string
}

/** A variable for the program: a value, or the name of a variable of this process that has it. */
export type DescribedVariable = string | { readonly from: string }

/** Tools of a program and the way they run; the contents of a description file. */
export interface ProgramDescription {
  /** The program and the words that always follow it. */
  readonly program: readonly string[]
  /** @default the program's file name */
  readonly name?: string
  readonly instructions?: string
  readonly env?: { readonly [name: string]: DescribedVariable }
  /** @default 60 */
  readonly timeoutSeconds?: number
  /** @default false */
  readonly tty?: boolean
  readonly tools?: readonly ProgramTool[]
  readonly resources?: readonly ProgramResource[]
  readonly prompts?: readonly DescribedPrompt[]
}
