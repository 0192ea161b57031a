import { type Document, isTable, type Table, type Value } from '../document/document.ts'
import { plainSettings, settings } from '../schema/settings.ts'
import { parseKey } from './key.ts'

/** The settings that variables of the environment stand for, `TRUNKLINE_HOST_PORT` for `host.port`. */
export function environmentDocument(environment: { readonly [name: string]: string | undefined }): Document {
  const found = plainSettings().flatMap((path) => {
    const text = environment[variableFor(path)]
    return text === undefined || text === '' ? [] : [{ path, value: fitted(path, text) }]
  })
  return documentOf('the environment', found)
}

/** The variables of an environment that stand for settings. */
export function settingVariables(environment: { readonly [name: string]: string | undefined }): readonly string[] {
  return plainSettings()
    .map(variableFor)
    .filter((name) => environment[name] !== undefined && environment[name] !== '')
}

/** The settings of the command line, as keys and values. */
export function flagsDocument(flags: { readonly [key: string]: Value }): Document {
  const found = Object.entries(flags).map(([key, value]) => {
    const path = parseKey(key).map(String)
    return { path, value: typeof value === 'string' ? fitted(path, value) : value }
  })
  return documentOf('the command line', found)
}

/** The environment variable of a setting. */
export function variableFor(path: readonly string[]): string {
  const words = path.map((part) => part.replaceAll(/(?<=[a-z0-9])(?=[A-Z])/g, '_'))
  return `TRUNKLINE_${words.join('_').toUpperCase()}`
}

/** Converts text to a number or a flag if the setting wants one; the check of settings reports text that cannot be. */
function fitted(path: readonly string[], text: string): Value {
  let schema: Value | undefined = settings.schema
  for (const part of path) schema = isTable(schema) ? memberOf(schema, part) : undefined
  const type = isTable(schema) ? schema.type : undefined
  if (type === 'integer' && /^-?\d+$/.test(text)) return Number(text)
  if (type === 'boolean' && (text === 'true' || text === 'false')) return text === 'true'
  if (type === 'array') return text.split(',').map((item) => item.trim())
  return text
}

function memberOf({ properties, additionalProperties }: Table, key: string): Value | undefined {
  if (isTable(properties) && Object.hasOwn(properties, key)) return properties[key]
  return additionalProperties
}

function documentOf(
  file: string,
  found: readonly { readonly path: readonly string[]; readonly value: Value }[],
): Document {
  const value = found.reduce<Table>((all, one) => withValue(all, one.path, one.value), {})
  return { file, text: '', value, problems: [], lineOf: () => 1 }
}

function withValue(table: Table, [key = '', ...rest]: readonly string[], value: Value): Table {
  const inner = table[key]
  return { ...table, [key]: rest.length === 0 ? value : withValue(isTable(inner) ? inner : {}, rest, value) }
}
