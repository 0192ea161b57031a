import { readSettingsFile } from '#contract'
import { McpError } from '../../../wire/errors.ts'
import { kindOf } from '../../../wire/kind-of.ts'
import { refuseUnknownOptions } from '../../../wire/known-options.ts'
import { type Fields, isObject } from '../../../wire/messages.ts'
import { didYouMean } from '../../../wire/near-name.ts'
import type { SettingReport, SettingSource } from '../setting-report.ts'
import {
  checkSetting,
  fromText,
  problemOf,
  type SettingDefinition,
  type SettingDefinitions,
  type SettingValues,
} from './setting-definition.ts'
import { readFlags } from './settings-flags.ts'

/** Sources of settings. */
export interface SettingsOptions {
  /** The beginning of the variables: with `SHOP`, the setting `maxRows` is `SHOP_MAX_ROWS`. @default none */
  readonly prefix?: string
  /** A file of JSON, which need not be there; or what is in it. @default none */
  readonly file?: string | Fields
  /** The command line. @default that of the process */
  readonly args?: readonly string[]
  /** The environment. @default that of the process */
  readonly env?: { readonly [name: string]: string | undefined }
}

/** The settings of a server, once they are read. */
export interface ServerSettings<Definitions extends SettingDefinitions = SettingDefinitions> {
  readonly values: SettingValues<Definitions>
  /** Arguments of the command line that are no settings, such as for `serveFromCommandLine({ args })`. */
  readonly rest: readonly string[]
  /** Names the source of each value, and the others that had one; secrets are left out. */
  explain(): readonly SettingReport[]
}

/**
 * Reads settings from the command line, the environment, a file, and defaults: an earlier one wins. Throws one error that
 * names everything that is wrong, and where.
 */
export function settings<const Definitions extends SettingDefinitions>(
  definitions: Definitions,
  options: SettingsOptions = {},
): ServerSettings<Definitions> {
  refuseUnknownOptions('Cannot read settings', options, { prefix: true, file: true, args: true, env: true })
  for (const [name, definition] of Object.entries(definitions)) checkSetting(name, definition)
  const { values, reports, rest, problems } = readAll(definitions, options)
  if (problems.length > 0) throw new McpError('Misuse', `Cannot read settings: ${problems.join('; ')}`)
  return { values: values as SettingValues<Definitions>, rest, explain: () => reports }
}

interface Found extends SettingSource {
  readonly value: unknown
}

function readAll(definitions: SettingDefinitions, options: SettingsOptions) {
  const { process } = globalThis
  const { args = process?.argv.slice(2) ?? [], env = process?.env ?? {}, prefix } = options
  const byFlag = new Map(Object.entries(definitions).flatMap(([name, each]) => pairOf(flagOf(name, each), each)))
  const { texts, rest, problems: flagProblems } = readFlags(args, byFlag)
  const file = fileOf(options.file)
  const problems = [...flagProblems, ...strangers(file, definitions)]
  const values: { [name: string]: unknown } = {}
  const reports = Object.entries(definitions).map(([name, definition]): SettingReport => {
    const [flag, variable] = [flagOf(name, definition), variableOf(name, definition, prefix)]
    const [first, ...others] = [
      ...textFound('flag', flag, flag && texts.get(flag), definition),
      // an empty variable is one that is not set
      ...textFound('environment', variable, (variable && env[variable]) || undefined, definition),
      ...(Object.hasOwn(file.members, name)
        ? [{ from: 'file' as const, where: `${file.path}#/${name}`, value: file.members[name] }]
        : []),
      ...(definition.default === undefined ? [] : [{ from: 'default' as const, value: definition.default }]),
    ]
    problems.push(...problemsOf({ name, definition, flag, variable, path: file.path }, first))
    values[name] = first?.value
    return reportOf(name, definition, first, others)
  })
  return { values, reports, rest, problems }
}

const pairOf = (flag: string | undefined, each: SettingDefinition): readonly [string, SettingDefinition][] =>
  flag === undefined ? [] : [[flag, each]]

const wordsOf = (name: string): string => name.replace(/([a-z0-9])([A-Z])/g, '$1-$2').toLowerCase()

function flagOf(name: string, { flag, secret }: SettingDefinition): string | undefined {
  // a command line is shown to every user of the machine
  return flag ?? (secret ? undefined : `--${wordsOf(name)}`)
}

function variableOf(name: string, { env }: SettingDefinition, prefix: string | undefined): string | undefined {
  return env ?? (prefix && `${prefix}_${wordsOf(name).replaceAll('-', '_').toUpperCase()}`)
}

function textFound(
  from: 'flag' | 'environment',
  where: string | undefined,
  text: string | undefined,
  definition: SettingDefinition,
): readonly Found[] {
  return where === undefined || text === undefined ? [] : [{ from, where, value: fromText(definition, text) }]
}

interface FileMembers {
  readonly path: string
  readonly members: Fields
}

function fileOf(file: SettingsOptions['file']): FileMembers {
  if (file === undefined) return { path: '', members: {} }
  if (typeof file !== 'string') return { path: 'file', members: file }
  const read = readSettingsFile(file)
  if (!read) return { path: file, members: {} }
  let members: unknown
  try {
    members = JSON.parse(read.text)
  } catch (error) {
    throw new McpError('Misuse', `Cannot read settings: "${read.path}" is not JSON: ${(error as Error).message}`)
  }
  if (!isObject(members))
    throw new McpError('Misuse', `Cannot read settings: "${read.path}" must be an object, not ${kindOf(members)}`)
  return { path: read.path, members }
}

function strangers({ path, members }: FileMembers, definitions: SettingDefinitions): readonly string[] {
  return Object.keys(members)
    .filter((name) => !Object.hasOwn(definitions, name))
    .map((name) => `${path}#/${name} is no setting${didYouMean(name, Object.keys(definitions))}`)
}

interface Asked {
  readonly name: string
  readonly definition: SettingDefinition
  readonly flag: string | undefined
  readonly variable: string | undefined
  readonly path: string
}

function problemsOf({ name, definition, flag, variable, path }: Asked, found: Found | undefined): readonly string[] {
  if (found) {
    const problem = problemOf(definition, found.value)
    return problem === undefined ? [] : [`${found.where ?? name} ${problem}`]
  }
  if (definition.optional) return []
  const ways = [flag, variable, path && `"${name}" in ${path}`].filter((way) => way)
  return [`"${name}" has no value${ways.length > 0 ? `: set ${ways.join(', or ')}` : ''}`]
}

function reportOf(
  name: string,
  { description, secret }: SettingDefinition,
  first: Found | undefined,
  others: readonly Found[],
): SettingReport {
  return {
    name,
    ...(description !== undefined && { description }),
    ...(first && sourceOf(first)),
    ...(first && !secret && { value: first.value as string }),
    ...(secret && { isSecret: true }),
    ...(others.length > 0 && { overrides: others.map(sourceOf) }),
  }
}

const sourceOf = ({ from, where }: Found): SettingSource => ({ from, ...(where !== undefined && { where }) })
