import { McpError } from '../../../wire/errors.ts'
import { kindOf } from '../../../wire/kind-of.ts'
import { refuseUnknownOptions } from '../../../wire/known-options.ts'

/** One setting of a server. A setting without a default that is not optional must be given. */
export interface SettingDefinition {
  /** @default 'text' */
  readonly type?: 'text' | 'number' | 'boolean'
  /** The only values that a text may have. */
  readonly choices?: readonly string[]
  readonly default?: string | number | boolean
  /** It may have no value at all. */
  readonly optional?: true
  /** Its flag. @default `--` and the name with hyphens; none where it is secret */
  readonly flag?: string
  /** Its variable. @default the prefix and the name in capitals; none without a prefix */
  readonly env?: string
  /** Its value is never shown. */
  readonly secret?: true
  readonly description?: string
}

/** The settings of a server, by name. */
export interface SettingDefinitions {
  readonly [name: string]: SettingDefinition
}

type ValueOf<Definition> = Definition extends { readonly choices: readonly (infer Choice)[] }
  ? Choice
  : Definition extends { readonly type: 'number' }
    ? number
    : Definition extends { readonly type: 'boolean' }
      ? boolean
      : string

/** The values of settings, by name. */
export type SettingValues<Definitions> = {
  readonly [Name in keyof Definitions]: Definitions[Name] extends { readonly optional: true }
    ? ValueOf<Definitions[Name]> | undefined
    : ValueOf<Definitions[Name]>
}

const members = {
  type: true,
  choices: true,
  default: true,
  optional: true,
  flag: true,
  env: true,
  secret: true,
  description: true,
} as const satisfies { readonly [Member in keyof Required<SettingDefinition>]: true }

/** Refuses a definition that makes no sense. */
export function checkSetting(name: string, definition: SettingDefinition): void {
  refuseUnknownOptions('Cannot define settings', definition, members, name)
  const { type = 'text', choices, flag } = definition
  if (type !== 'text' && type !== 'number' && type !== 'boolean')
    throw wrong(`${name}.type`, 'must be "text", "number" or "boolean"')
  if (choices !== undefined && (type !== 'text' || !isTexts(choices)))
    throw wrong(`${name}.choices`, 'must be a list of texts, for a setting of type "text"')
  if (flag !== undefined && !/^--[a-z0-9][\w-]*$/i.test(flag)) throw wrong(`${name}.flag`, 'must be such as "--port"')
  if (definition.default === undefined) return
  if (definition.optional) throw wrong(`${name}.optional`, 'must not be there beside a default')
  const problem = problemOf(definition, definition.default)
  if (problem !== undefined) throw wrong(`${name}.default`, problem)
}

/** Reason why a value does not fit a setting; undefined where it does. A secret is not repeated. */
export function problemOf({ type = 'text', choices, secret }: SettingDefinition, value: unknown): string | undefined {
  const shown = secret || typeof value === 'object' ? kindOf(value) : JSON.stringify(value)
  const kind = type === 'text' ? 'string' : type
  if (typeof value !== kind || (typeof value === 'number' && !Number.isFinite(value)))
    return `must be ${nouns[type]}, not ${shown}`
  if (choices && !choices.includes(value as string)) return `must be one of ${choices.join(', ')}, not ${shown}`
  return undefined
}

/** The value that a flag or a variable says in text; what is no value stays the text. */
export function fromText({ type = 'text' }: SettingDefinition, text: string): string | number | boolean {
  if (type === 'number') return text.trim() !== '' && Number.isFinite(Number(text)) ? Number(text) : text
  if (type === 'boolean') return booleans.get(text.toLowerCase()) ?? text
  return text
}

const nouns = { text: 'a text', number: 'a number', boolean: 'true or false' } as const
const booleans: ReadonlyMap<string, boolean> = new Map([
  ['true', true],
  ['1', true],
  ['false', false],
  ['0', false],
])

const isTexts = (value: unknown): boolean =>
  Array.isArray(value) && value.length > 0 && value.every((each) => typeof each === 'string')

function wrong(field: string, problem: string): McpError {
  return new McpError('Misuse', `Cannot define settings: "${field}" ${problem}`)
}
